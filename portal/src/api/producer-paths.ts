import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";

/** The route's limit of ids per request. */
const idsPerRequest = 100;

interface Batch {
  ids: Set<number>;
  paths: Promise<Map<number, string>>;
}

let batch: Batch | null = null;

/** Looks up a path. Look-ups of the same rendering share one request. */
function pathOf(id: number): Promise<string | null> {
  if (batch === null || batch.ids.size === idsPerRequest) {
    const ids = new Set<number>();
    const newBatch: Batch = { ids, paths: Promise.resolve().then(() => read(newBatch)) };
    batch = newBatch;
  }
  batch.ids.add(id);
  return batch.paths.then((paths) => paths.get(id) ?? null);
}

async function read(newBatch: Batch): Promise<Map<number, string>> {
  if (batch === newBatch) batch = null;
  const { producers } = await unwrap(
    api.GET("/market/producers", {
      params: { query: { ids: [...newBatch.ids] } },
      querySerializer: { array: { style: "form", explode: false } },
    }),
  );
  return new Map(producers.map(({ id, path }) => [id, path]));
}

/** The path of a producer's public page; null for a producer without one. */
export const producerPathQuery = (id: number) =>
  queryOptions({ queryKey: ["producer-path", id], queryFn: () => pathOf(id), staleTime: 300_000, retry: false });
