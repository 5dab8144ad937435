import type { NameDocument } from "../cluster/documents.ts";
import type { SearchParts } from "./parts.ts";

interface Buckets<Own = unknown> {
  buckets: ({ key: string; doc_count: number } & Own)[];
}

const mostGenres = 1_000;

/** The genres of each producer's listed beats, the most frequent first, then by name. */
export async function genresOfProducers(
  { cluster, indexOf }: SearchParts,
  producers: readonly number[],
  genres: readonly NameDocument[],
): Promise<ReadonlyMap<number, number[]>> {
  if (producers.length === 0) return new Map();
  const { aggregations } = await cluster.search(indexOf("beats"), {
    query: { bool: { filter: [{ terms: { producer: producers } }] } },
    size: 0,
    aggs: {
      producers: {
        terms: { field: "producer", size: producers.length },
        aggs: { genres: { terms: { field: "genre", size: mostGenres } } },
      },
    },
  });
  const names = new Map(genres.map(({ id, name }) => [id, name]));
  const nameOf = (id: number): string => names.get(id) ?? "";
  const counted = (aggregations.producers as Buckets<{ genres: Buckets }>).buckets.map(
    ({ key, genres: counts }): [number, number[]] => [
      Number(key),
      counts.buckets
        .map(({ key: genre, doc_count }) => ({ id: Number(genre), count: doc_count }))
        .sort((a, b) => b.count - a.count || compareTexts(nameOf(a.id), nameOf(b.id)) || a.id - b.id)
        .map(({ id }) => id),
    ],
  );
  return new Map(counted);
}

/** Compares by code units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
