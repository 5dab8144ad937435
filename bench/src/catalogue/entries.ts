import type { CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import type { Row } from "./row.ts";
import { type CatalogueSource, rowsOf } from "./write-catalogue.ts";

const keysOfMode = 12;
const defaultPriceCents = 2_990;
/** One bit for each license type. */
const allLicensesMask = 0b1111;

/** The rows of a catalogue as an engine takes them, without a database. */
export async function entriesOf(source: CatalogueSource, beats: number): Promise<CatalogueChange> {
  const [producers, genres] = [new Map<string, number>(), new Map<string, number>()];
  const idIn = (ids: Map<string, number>, name: string): number => {
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    return id;
  };
  const entries: CatalogueChange["beats"][number][] = [];
  for await (const row of rowsOf(source, beats, 0))
    entries.push({
      id: entries.length + 1,
      title: row.title,
      tags: [],
      producerId: idIn(producers, row.artist),
      genreId: idIn(genres, row.genre),
      tempo: Math.max(1, Number(row.tempo)),
      keyCode: keyCodeOf(row),
      priceCents: row.price === "" ? defaultPriceCents : Math.round(Number(row.price) * 100),
      durationSeconds: Math.round(Number(row.duration) / (row.duration_unit === "ms" ? 1_000 : 1)) || 0,
      createdAtMicroseconds: (Date.parse(row.release_date) || entries.length * 1_000) * 1_000,
      popularityKey: Number(row.play_count) || Number(row.popularity) || 0,
      availableLicenses: allLicensesMask,
    });
  return {
    beats: entries,
    producers: Array.from(producers, ([name, id]) => ({ id, name, popularityKey: 0 })),
    genres: Array.from(genres, ([name, id]) => ({ id, name })),
    goneBeats: [],
    goneProducers: [],
    goneGenres: [],
  };
}

const keyCodeOf = ({ key, mode }: Row): number => {
  const pitch = Number(key);
  const isKnown = Number.isInteger(pitch) && pitch >= 0 && pitch < keysOfMode;
  if (!isKnown) return 2 * keysOfMode;
  return mode === "0" ? pitch + keysOfMode : pitch;
};
