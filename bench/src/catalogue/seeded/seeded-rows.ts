import { hash } from "node:crypto";
import type { Row } from "../row.ts";
import * as measured from "./measured.ts";
import { Producers } from "./producers.ts";
import { seededRandom } from "./random.ts";
import { drawFrom, drawName, drawQuantile, type Random } from "./sampling.ts";
import { Titles } from "./titles.ts";

const subgenres = ["alternative", "deep", "hard", "indie", "new", "neo", "soft", "southern", "tropical", "underground"];

const drawGenre = drawName(measured.genreShares);
const drawMode = drawName(measured.modeShares);
const drawPitch = drawFrom(measured.pitchShares);
const drawPopularity = drawFrom(measured.popularityShares);
const drawPlays = drawQuantile(measured.playQuantiles);
const drawDuration = drawQuantile(measured.durationQuantilesSeconds);
const drawYear = drawQuantile(measured.yearQuantiles);
const peaks = Object.entries(measured.tempoPeaks);
const drawTempoRange = drawFrom([...measured.tempoShares, ...peaks.map(([, share]) => share)]);

/** Generates rows that an import accepts. They depend only on the seed. Fewer rows are a prefix of more rows. */
export function* seededRows(rows: number, seed: number): Generator<Row> {
  const random = seededRandom(seed);
  const titles = new Titles(random);
  const producers = new Producers(random);
  for (let n = 0; n < rows; n++) {
    yield {
      source: "seeded",
      source_id: hash("sha256", `${seed} ${n}`, "base64url").slice(0, 22),
      title: titles.next(),
      artist: producers.next(),
      genre: genre(random),
      tempo: tempo(random),
      key: String(drawPitch(random)),
      mode: drawMode(random),
      duration: String(Math.round(drawDuration(random) * 1_000)),
      duration_unit: "ms",
      popularity: String(popularity(random)),
      release_date: releaseDate(random),
      play_count: random() < measured.playedShare ? String(Math.floor(drawPlays(random))) : "",
      price: price(random),
    };
  }
}

/** A genre, or a genre and a narrower one as "Rock/hard rock", or an empty text. */
function genre(random: Random): string {
  const name = drawGenre(random);
  if (name === "" || random() > measured.subgenreShare) return name;
  return `${name}/${subgenres[Math.floor(random() * subgenres.length)]} ${name.toLowerCase()}`;
}

/** In BPM, with three decimals as audio analysis reports them. A tempo at a peak is at most 0.05 BPM from the peak. */
function tempo(random: Random): string {
  const { tempoFrom, tempoShares, tempoStep } = measured;
  const range = drawTempoRange(random);
  const [peak] = peaks[range - tempoShares.length] ?? [];
  const bpm = peak === undefined ? tempoFrom + tempoStep * (range + random()) : Number(peak) + (random() - 0.5) / 10;
  return bpm.toFixed(3);
}

function popularity(random: Random): number {
  const range = drawPopularity(random);
  if (range === 0) return 0;
  return range === 1 ? 1 + Math.floor(random() * 9) : 10 * (range - 1) + Math.floor(random() * 10);
}

/** A year, or a second of a year. If most beats had only a date, no case would test the order of ties. */
function releaseDate(random: Random): string {
  const year = Math.floor(drawYear(random));
  if (random() < measured.yearOnlyShare) return String(year);
  return new Date(Date.UTC(year, 0) + Math.floor(random() * 365 * 86_400) * 1_000).toISOString();
}

/** 14.99 to 99.94, in steps of five cents, most of them low. No data set has prices. */
const price = (random: Random): string => (14.99 + Math.floor(random() ** 2 * 1_700) * 0.05).toFixed(2);
