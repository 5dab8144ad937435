import { percentile } from "../report/statistics.ts";
import { realRows } from "./real/real-rows.ts";
import type { Row } from "./row.ts";
import { seededRows } from "./seeded/seeded-rows.ts";
import type { CatalogueSource } from "./write-catalogue.ts";

/** One figure of a catalogue, for comparisons of catalogues. */
export interface Figure {
  name: string;
  value: number;
}

type DescribedRow = Pick<Row, "title" | "artist" | "genre" | "tempo" | "popularity" | "play_count">;

const ranks = [1, 10, 100, 1_000, 10_000];
const shares = [0.05, 0.5, 0.95];

/** Returns shares, percentiles and counts of words, tempos, genres, producers and popularity in these rows. */
export async function describeCatalogue(rows: Iterable<DescribedRow> | AsyncIterable<DescribedRow>): Promise<Figure[]> {
  const words = new Counts();
  const titles = new Counts();
  const producers = new Counts();
  const genres = new Counts();
  const lengths: number[] = [];
  const tempos: number[] = [];
  const popularity: number[] = [];
  for await (const row of rows) {
    for (const word of row.title.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []) words.add(word);
    titles.add(row.title.toLowerCase());
    producers.add(row.artist);
    genres.add(row.genre.split("/")[0]?.toLowerCase() ?? "");
    lengths.push(row.title.trim().split(/\s+/).length);
    tempos.push(Number(row.tempo));
    if (row.popularity !== "") popularity.push(Number(row.popularity));
  }
  const byWords = words.descending();
  const byProducer = producers.descending();
  return [
    ...ranks.map((rank) => ({
      name: `share of the word of rank ${rank.toLocaleString("en")}`,
      value: (byWords[rank - 1] ?? 0) / words.total,
    })),
    { name: "distinct words per title", value: byWords.length / lengths.length },
    {
      name: "share of distinct words that occur once",
      value: byWords.filter((count) => count === 1).length / byWords.length,
    },
    { name: "words of a title, mean", value: lengths.reduce((sum, count) => sum + count, 0) / lengths.length },
    ...shares.map((share) => ({
      name: `words of a title, ${percentileName(share)}`,
      value: percentile(lengths, share),
    })),
    { name: "distinct titles per row", value: titles.size / titles.total },
    ...shares.map((share) => ({ name: `tempo, ${percentileName(share)}`, value: percentile(tempos, share) })),
    { name: "share of tempos from 119.5 to 120.5", value: shareNear(tempos, 120) },
    { name: "share of tempos from 127.5 to 128.5", value: shareNear(tempos, 128) },
    { name: "share of rows without a genre", value: (genres.countOf("") + genres.countOf("na")) / genres.total },
    { name: "share of Rock", value: genres.countOf("rock") / genres.total },
    { name: "producers for each beat", value: producers.size / producers.total },
    {
      name: "share of producers with one beat",
      value: byProducer.filter((count) => count === 1).length / producers.size,
    },
    ...[10, 1_000].map((rank) => ({
      name: `share of the beats of the largest ${rank.toLocaleString("en")} producers`,
      value: byProducer.slice(0, rank).reduce((sum, count) => sum + count, 0) / producers.total,
    })),
    { name: "share with popularity 0", value: popularity.filter((points) => points < 1).length / popularity.length },
    ...[0.5, 0.9, 0.99].map((share) => ({
      name: `popularity, ${percentileName(share)}`,
      value: percentile(popularity, share),
    })),
  ];
}

/** The figures as text: of the catalogue, and if it is real, also of a seeded one of the same size. */
export async function describeSource(source: CatalogueSource, rows: number): Promise<string> {
  const seeded = (count: number) => describeCatalogue(seededRows(count, "seed" in source ? source.seed : 1));
  if ("seed" in source) return table(["", "seeded"], [await seeded(rows)]);
  let count = 0;
  async function* distinctRows(file: string) {
    for await (const row of differentRows(realRows(file))) {
      count++;
      yield row;
    }
  }
  const real = await describeCatalogue(distinctRows(source.realFile));
  return table([`of ${count.toLocaleString("en")} rows`, "real", "seeded"], [real, await seeded(count)]);
}

function table(head: string[], columns: Figure[][]): string {
  const figures = (columns[0] ?? []).map(({ name }, index) => [
    name,
    ...columns.map((column) => String(Number(column[index]?.value.toPrecision(3)))),
  ]);
  return [head, ...figures]
    .map(([name = "", ...values]) => [name.padEnd(52), ...values.map((value) => value.padStart(12))].join(""))
    .join("\n");
}

/** Removes duplicates: real files repeat a track for each playlist or source. */
async function* differentRows<R extends DescribedRow>(rows: AsyncIterable<R>): AsyncGenerator<R> {
  const names = new Set<string>();
  for await (const row of rows) {
    const name = `${row.title}\n${row.artist}`;
    if (names.has(name)) continue;
    names.add(name);
    yield row;
  }
}

class Counts {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(text: string): void {
    this.#counts.set(text, this.countOf(text) + 1);
    this.total++;
  }

  countOf = (text: string): number => this.#counts.get(text) ?? 0;

  get size(): number {
    return this.#counts.size;
  }

  descending = (): number[] => Array.from(this.#counts.values()).sort((a, b) => b - a);
}

const percentileName = (share: number): string => `percentile ${Math.round(share * 100)}`;
const shareNear = (tempos: number[], bpm: number): number =>
  tempos.filter((tempo) => Math.abs(tempo - bpm) <= 0.5).length / tempos.length;
