import type { CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import { loadCatalogue, readChanged } from "@beatmarket/catalogue-index/worker/catalogue-rows.ts";
import {
  newestPlace,
  readChanges,
  type StreamBatch,
  type StreamPlace,
} from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { Query, SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { type IndexedText, indexedText } from "@beatmarket/foundation/text/search-words.ts";
import { Build } from "../cluster/build.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { BeatDocument, NameDocument } from "../cluster/documents.ts";

/** Longer than one read, because a step reads from PostgreSQL and from the cluster. */
const stepTimeoutMs = 30_000;

/** A build, and the place in the change stream up to which it has the changes. */
export interface IndexedBuild {
  build: Build;
  place: StreamPlace;
}

/** Writes all rows of one snapshot of the database into new indices. `onProgress` gets the number of beats so far. */
export function buildAll(
  reader: SnapshotReader,
  cluster: Cluster,
  name: string,
  onProgress: (beats: number) => void,
): Promise<IndexedBuild> {
  return reader.read(async (query) => {
    const place = await newestPlace(query);
    const [row] = await query<{ count: number }>("listed beats", "select count(*) as count from beats where is_listed");
    const build = new Build(cluster, name);
    try {
      await fill(query, build, place, row?.count ?? 0, onProgress);
    } catch (error) {
      await build.delete().catch(() => {});
      throw error;
    }
    return { build, place };
  });
}

async function fill(
  query: Query,
  build: Build,
  { position }: StreamPlace,
  expected: number,
  onProgress: (beats: number) => void,
): Promise<void> {
  await build.create(expected);
  const names = new Map<number, IndexedText>();
  let beats = 0;
  for await (const rows of loadCatalogue(query)) {
    addNames(names, rows);
    await build.write(rows, position, names);
    beats += rows.beats.length;
    onProgress(beats);
  }
  await build.refresh();
}

/**
 * Writes all changes after the place, a few thousand per step, up to the newest change at the start of the call.
 * Returns the new place, or the reason why the stream lacks the old one.
 */
export async function catchUp(
  reader: SnapshotReader,
  { build, place: from }: IndexedBuild,
): Promise<StreamPlace | { reason: string }> {
  let place = from;
  for (let end: number | null = null; ; ) {
    const step = await reader.read((query) => readStep(query, build, place), { timeoutMs: stepTimeoutMs });
    if ("reason" in step) return step;
    const { batch, rows } = step;
    if (rows !== null) await build.write(rows, batch.newest, addNames(new Map(), rows));
    place = batch.place;
    end ??= batch.newest;
    if (place.position >= end) break;
  }
  if (place.position > from.position) await build.refresh();
  return place;
}

async function readStep(
  query: Query,
  build: Build,
  place: StreamPlace,
): Promise<{ batch: StreamBatch; rows: CatalogueChange | null } | { reason: string }> {
  const batch = await readChanges(query, place);
  if ("reason" in batch) return batch;
  if (batch.beats.length + batch.users.length + batch.genres.length === 0) return { batch, rows: null };
  const before = await build.documents<BeatDocument>("beats", batch.beats, ["id", "producer"]);
  const formerProducers = Array.from(new Set(before.map(({ producer }) => producer)));
  const rows = await readChanged(query, { ...batch, formerProducers });
  const renamed = await renamedOf(build, batch.users, rows);
  const beatIds = new Set(batch.beats);
  const others = (await build.beatsOf(renamed)).filter((id) => !beatIds.has(id));
  if (others.length === 0) return { batch, rows };
  const more = await readChanged(query, { beats: others, users: [], genres: [], formerProducers: [] });
  return {
    batch,
    rows: {
      ...rows,
      beats: [...rows.beats, ...more.beats],
      goneBeats: [...rows.goneBeats, ...more.goneBeats],
      producers: [
        ...rows.producers,
        ...more.producers.filter(({ id }) => !rows.producers.some((each) => each.id === id)),
      ],
    },
  };
}

/** The ids of producers whose name in the index differs from the name in the rows. */
async function renamedOf(build: Build, users: readonly number[], rows: CatalogueChange): Promise<number[]> {
  const before = await build.documents<NameDocument>("producers", users, ["id", "name"]);
  const nameBefore = new Map(before.map(({ id, name }) => [id, name]));
  const nameNow = new Map(rows.producers.map(({ id, name }) => [id, name]));
  return users.filter((id) => nameBefore.get(id) !== nameNow.get(id));
}

function addNames(names: Map<number, IndexedText>, rows: CatalogueChange): Map<number, IndexedText> {
  for (const { id, name } of rows.producers) names.set(id, indexedText(name));
  return names;
}
