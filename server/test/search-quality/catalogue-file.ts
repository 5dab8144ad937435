import { readFileSync } from "node:fs";
import type { BeatEntry, CatalogueChange } from "@beatmarket/catalogue-index/entry.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { demoCatalogue } from "../../src/demo/catalogue.ts";
import type { ReadBeat } from "../../src/resources/catalogue-import/fields/read-beat.ts";
import { readMapping } from "../../src/resources/catalogue-import/mapping.ts";
import { importTime, readBeats } from "../../src/resources/catalogue-import/read-beats.ts";

/** A catalogue as the index reads it, and with the names of producers and genres, by which results are judged. */
export interface FileCatalogue {
  change: CatalogueChange;
  beats: ReadonlyMap<number, BeatEntry & { producer: string; genre: string }>;
  producers: ReadonlyMap<number, string>;
}

/** Reads a file like an import with this mapping: the first row of an id counts, and rejected rows are omitted. */
export async function readCatalogue(path: string, mappingPath: string): Promise<FileCatalogue> {
  const mapping = readMapping(readFileSync(mappingPath, "utf8"), mappingPath);
  const read = new Map<string, ReadBeat>();
  const source = { file: await openFileBytes(path), mapping, openJoined: openFileBytes, clock: systemClock };
  await readBeats(source, importTime(systemClock), {
    beat: (beat) => {
      const identity = `${beat.source}\0${beat.external_id}`;
      if (!read.has(identity)) read.set(identity, beat);
    },
    rejected: () => {},
    piece: () => {},
  });
  return catalogueOf(Array.from(read.values()));
}

/** The columns of a catalogue. */
type Row = Pick<
  ReadBeat,
  "title" | "tags" | "tempo" | "key_code" | "duration_seconds" | "play_count" | "popularity" | "genre_name"
> & { import_name: string; producer_name: string; price_cents?: number };

/** The demo catalogue of a first start. */
export const readDemoCatalogue = (): FileCatalogue =>
  catalogueOf(
    demoCatalogue(Date.UTC(2026, 10, 26)).beats.map((beat) => ({
      ...beat,
      key_code: parseKey(beat.key).keyCode,
      genre_name: beat.genre,
      import_name: beat.producer.username,
      producer_name: beat.producer.displayName,
    })),
  );

function catalogueOf(read: readonly Row[]): FileCatalogue {
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    return id;
  };
  const producers = new Map<number, { id: number; name: string; popularityKey: number }>();
  const genres = new Map<number, { id: number; name: string }>();
  const beats = read.map((beat, at) => {
    const popularityKey = beat.play_count * 128 + beat.popularity;
    const producerId = idOf(`producer ${beat.import_name}`);
    const genreId = idOf(`genre ${beat.genre_name}`);
    const producer = producers.get(producerId) ?? { id: producerId, name: beat.producer_name, popularityKey: 0 };
    producer.popularityKey += popularityKey;
    producers.set(producerId, producer);
    genres.set(genreId, { id: genreId, name: beat.genre_name });
    return {
      id: at + 1,
      title: beat.title,
      tags: beat.tags,
      producerId,
      genreId,
      tempo: beat.tempo,
      keyCode: beat.key_code,
      priceCents: beat.price_cents ?? 1_000,
      durationSeconds: beat.duration_seconds,
      createdAtMicroseconds: at,
      popularityKey,
      availableLicenses: 15,
      producer: producer.name,
      genre: beat.genre_name,
    };
  });
  return {
    change: {
      beats,
      producers: Array.from(producers.values()),
      genres: Array.from(genres.values()),
      goneBeats: [],
      goneProducers: [],
      goneGenres: [],
    },
    beats: new Map(beats.map((beat) => [beat.id, beat])),
    producers: new Map(Array.from(producers.values(), ({ id, name }) => [id, name])),
  };
}
