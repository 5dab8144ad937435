import { createHash } from "node:crypto";
import type { BeatEntry, GenreEntry, ProducerEntry } from "@beatmarket/catalogue-index/entry.ts";
import { foldWhole, type IndexedText, indexedText } from "@beatmarket/foundation/text/search-words.ts";

/** The three indices of a build. */
export const kinds = ["beats", "producers", "genres"] as const;
export type Kind = (typeof kinds)[number];

/** A listed beat. This program, not OpenSearch, splits texts into words, so that both engines use the same words. */
export interface BeatDocument {
  id: number;
  producer: number;
  genre: number;
  key: number;
  tempo: number;
  bpm: number;
  price: number;
  duration: number;
  created: number;
  popularity: number;
  /** The bits of the licenses that can be bought. */
  licenses: number[];
  /** Folded tags. */
  tags: string[];
  /** Tags as the producer wrote them. */
  tag_names: string[];
  title: string[];
  whole: string;
  /** The words of the producer's name. */
  name: string[];
  /** The producer's whole name. */
  name_whole: string;
  tag: string[];
  tag_whole: string[];
  /** A hash of the producer and the folded title, which copies of one recording share. */
  recording: string;
}

/** A producer or a genre. */
export interface NameDocument {
  id: number;
  name: string;
  word: string[];
  whole: string;
  popularity: number;
}

const long = { type: "long" };
const double = { type: "double" };
const keyword = { type: "keyword" };

const names = {
  dynamic: "strict",
  properties: {
    id: long,
    popularity: double,
    word: keyword,
    whole: keyword,
    name: { type: "keyword", index: false, doc_values: false },
  },
};

/** Ids that are only compared are keywords, because OpenSearch looks them up faster than numbers. */
export const mappings: Record<Kind, Record<string, unknown>> = {
  beats: {
    dynamic: "strict",
    properties: {
      id: long,
      bpm: long,
      price: long,
      duration: long,
      created: long,
      popularity: double,
      tempo: double,
      producer: keyword,
      genre: keyword,
      key: keyword,
      licenses: keyword,
      tags: keyword,
      title: keyword,
      whole: keyword,
      name: keyword,
      name_whole: keyword,
      tag: keyword,
      tag_whole: keyword,
      recording: long,
      tag_names: { type: "keyword", index: false, doc_values: false },
    },
  },
  producers: names,
  genres: names,
};

/** Documents with other mappings have another digest, and need a separate build. */
export const shapeDigest = createHash("sha256").update(JSON.stringify(mappings)).digest("hex").slice(0, 8);

/** The maximum number of rows up to the end of a page. OpenSearch keeps a queue of that many rows on each shard. */
export const deepest = 200_000;

const licenseBits = [0, 1, 2, 3];
/** In characters. OpenSearch accepts keywords of up to 32,766 bytes. */
const longestKeyword = 8_000;

export function beatDocument(beat: BeatEntry, producer: IndexedText): BeatDocument {
  const title = indexedText(beat.title);
  const tags = new Map(beat.tags.map((tag) => [foldWhole(tag), tag]).reverse() as [string, string][]);
  const tagTexts = beat.tags.map((tag) => indexedText(tag));
  return {
    id: beat.id,
    producer: beat.producerId,
    genre: beat.genreId,
    key: beat.keyCode,
    tempo: beat.tempo,
    bpm: Math.max(1, Math.round(beat.tempo)),
    price: beat.priceCents,
    duration: beat.durationSeconds,
    popularity: beat.popularityKey,
    created: beat.createdAtMicroseconds,
    licenses: licenseBits.filter((bit) => beat.availableLicenses & (1 << bit)),
    tags: Array.from(tags.keys()),
    tag_names: Array.from(tags.values()),
    title: title.words,
    whole: title.whole.slice(0, longestKeyword),
    name: producer.words,
    name_whole: producer.whole,
    tag: Array.from(new Set(tagTexts.flatMap(({ words }) => words))),
    tag_whole: Array.from(new Set(tagTexts.map(({ whole }) => whole))),
    recording: recordingOf(beat.producerId, title.whole),
  };
}

export function nameDocument({ id, name, ...rest }: GenreEntry | ProducerEntry): NameDocument {
  const { words, whole } = indexedText(name);
  return { id, name, word: words, whole, popularity: "popularityKey" in rest ? rest.popularityKey : 0 };
}

/** 63 bits of a hash, as decimal digits. */
function recordingOf(producerId: number, whole: string): string {
  const hash = createHash("sha256").update(`${producerId} ${whole}`).digest();
  return String(hash.readBigUInt64BE() >> 1n);
}
