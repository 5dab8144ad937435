import { DatabaseSync } from "node:sqlite";
import type { ReadBeat } from "./fields/read-beat.ts";
import { type BeatFile, importTime, type ReadOutcome, readBeats } from "./read-beats.ts";

export interface DryRunRequest extends BeatFile {
  /** Called after each chunk of the file. */
  onProgress?: (progress: { rows: number; rejected: number; readBytes: number }) => void;
}

/** A beat as an import of the file would create it, with the line in the file. */
export type SampledBeat = { line: number } & Omit<ReadBeat, "user_id" | "genre_id" | "import_name" | "key_code">;

export interface DryRunOutcome extends ReadOutcome {
  /** The number of rows that an import would accept. */
  accepted: number;
  /** The number of accepted rows that repeat the id of an earlier row, and so create no beat. */
  repeated: number;
  /** Beats at even distances in the file. */
  sample: SampledBeat[];
}

const sampleSize = 10;

/** Reads a file like an import (docs/import.md), but writes nothing. Throws an OperatorError like an import. */
export async function dryRun(request: DryRunRequest): Promise<DryRunOutcome> {
  const { file, clock, onProgress } = request;
  const identities = new SeenIdentities();
  const sample = new EvenSample<SampledBeat>(sampleSize);
  let accepted = 0;
  let repeated = 0;
  const now = importTime(clock);
  try {
    const outcome = await readBeats(request, now, {
      beat: (beat, { line }) => {
        accepted++;
        if (identities.add(beat)) sample.offer(() => sampleOf(beat, line, now));
        else repeated++;
      },
      rejected: () => {},
      piece: (counts) => onProgress?.({ ...counts, readBytes: file.readBytes() }),
    });
    return { ...outcome, accepted, repeated, sample: sample.chosen() };
  } finally {
    identities.close();
  }
}

function sampleOf(beat: ReadBeat, line: number, now: Date): SampledBeat {
  const { user_id, genre_id, import_name, key_code, ...fields } = beat;
  return { line, ...fields, created_at: beat.created_at ?? now };
}

/** The identities of a file's beats, in a temporary SQLite database, so that memory does not grow with the file. */
class SeenIdentities {
  readonly #store = new DatabaseSync("");
  readonly #insert;

  constructor() {
    this.#store.exec(`
      pragma journal_mode = off; pragma synchronous = off;
      create table seen (source text, external_id text, primary key (source, external_id)) without rowid; begin`);
    this.#insert = this.#store.prepare("insert or ignore into seen values (?, ?)");
  }

  /** Whether the identity is new. */
  add({ source, external_id }: ReadBeat): boolean {
    return this.#insert.run(source, external_id).changes === 1;
  }

  close(): void {
    this.#store.close();
  }
}

/** Samples every n-th of the offered items. n doubles at `2 * size` samples; `chosen` returns at most `size`. */
export class EvenSample<Item> {
  readonly #size: number;
  #interval = 1;
  #offered = 0;
  #items: Item[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(createItem: () => Item): void {
    if (this.#offered++ % this.#interval !== 0) return;
    this.#items.push(createItem());
    if (this.#items.length < 2 * this.#size) return;
    this.#items = this.#items.filter((_, place) => place % 2 === 0);
    this.#interval *= 2;
  }

  /** The sample: at most `size` items. */
  chosen(): Item[] {
    const step = this.#items.length > this.#size ? 2 : 1;
    return this.#items.filter((_, place) => place % step === 0);
  }
}
