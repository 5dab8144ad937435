import { hash } from "node:crypto";
import type { Row } from "../row.ts";
import { seededRandom } from "../seeded/random.ts";
import type { RealRow } from "./real-rows.ts";
import { scriptOf, splicedName, splicedTitle } from "./splice.ts";

/** The number of earlier rows from which a variation takes values. */
const maxRecentRows = 4_096;
const pitches = 12;

/**
 * Creates any number of different rows from each real one. Round 0 is the unchanged row; later rounds vary its title,
 * tempo, duration, date, price and popularity, and often its producer, key or missing genre. The result depends only on
 * the rows and their order.
 */
export class Variation {
  readonly #titles = new Map<string, RecentRows>();
  readonly #rows = new RecentRows();
  #count = 0;

  next(real: RealRow, round: number): Row {
    const random = seededRandom(this.#count++);
    const { source_row, ...rowFields } = real;
    const id = hash("sha256", `${real.source} ${source_row} ${round}`, "base64url").slice(0, 22);
    const row = { ...rowFields, source_id: id, price: "", ...(round > 0 && this.#varied(real, random)) };
    this.#titlesLike(real.title).remember(real);
    this.#rows.remember(real);
    return row;
  }

  #varied(real: RealRow, random: () => number) {
    const sameScript = this.#titlesLike(real.title).pick(random) ?? real;
    const otherRow = this.#rows.pick(random) ?? real;
    const popularityShare = random() ** 3;
    return {
      title: splicedTitle(real.title, sameScript.title, random),
      artist: otherProducer(real.artist, otherRow.artist, random),
      genre: isMissing(real.genre) && random() < 0.5 ? otherRow.genre : real.genre,
      tempo: (Number(real.tempo) * (0.94 + random() * 0.12)).toFixed(3),
      key: otherKey(real.key, random),
      duration: otherDuration(real.duration, random),
      popularity: String(
        Math.floor(isMissing(real.popularity) ? popularityShare * 100 : variedPopularity(real.popularity, random)),
      ),
      release_date: otherDate(real.release_date, random),
      price: (14.99 + Math.floor(random() ** 2 * 1_700) * 0.05).toFixed(2),
    };
  }

  #titlesLike(title: string): RecentRows {
    const script = scriptOf(title);
    const titles = this.#titles.get(script) ?? new RecentRows();
    this.#titles.set(script, titles);
    return titles;
  }
}

/** Keeps the last rows, and picks random ones of them. */
class RecentRows {
  readonly #rows: RealRow[] = [];
  #count = 0;

  remember(row: RealRow): void {
    this.#rows[this.#count++ % maxRecentRows] = row;
  }

  pick(random: () => number): RealRow | undefined {
    return this.#rows[Math.floor(random() * this.#rows.length)];
  }
}

const isMissing = (text: string): boolean => text === "" || text === "NA";

function otherProducer(artist: string, otherArtist: string, random: () => number): string {
  const draw = random();
  if (draw < 0.6 || artist.startsWith("[")) return artist;
  if (draw < 0.85 || otherArtist.startsWith("[")) return otherArtist;
  return splicedName(artist, otherArtist);
}

function otherKey(key: string, random: () => number): string {
  return /^\d+$/.test(key) && random() < 0.5 ? String((Number(key) + Math.floor(random() * pitches)) % pitches) : key;
}

/** Varies whole numbers only: "3:25" stays. */
function otherDuration(duration: string, random: () => number): string {
  return /^\d+$/.test(duration) ? String(Math.ceil(Number(duration) * (0.9 + random() * 0.2))) : duration;
}

function variedPopularity(popularity: string, random: () => number): number {
  return Math.min(100, Math.max(0, Number(popularity) - 10 + random() * 20)) || 0;
}

/** Returns a random time within two years of the row's year. A row without a year gets a random one since 1990. */
function otherDate(date: string, random: () => number): string {
  const [year] = /\d{4}/.exec(date) ?? [1990 + Math.floor(random() * 35)];
  const from = Date.UTC(Math.min(2_023, Math.max(1_902, Number(year))) - 2, 0);
  return new Date(from + Math.floor(random() * 4 * 365 * 86_400) * 1_000).toISOString();
}
