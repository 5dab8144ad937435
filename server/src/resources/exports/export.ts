import { hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import type { Form } from "@beatmarket/http/negotiation/forms.ts";
import { sliceBytes } from "@beatmarket/http/transport/slices.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { ConsoleBeatDetail, ReferenceBeatDetail } from "../beats/schema.ts";

/** The properties that determine the bytes of an export. */
export interface ExportName {
  /** A position in the change stream. The export has exactly the changes up to this position. */
  position: number;
  form: Form;
  /** Differs between public URLs, and between releases that present the same beat in different ways. */
  fingerprint: string;
}

export const draftSuffix = ".draft";

/** The fingerprint of lines in this form, whose links begin with `publicUrl`. */
export const fingerprintOf = (form: Form, publicUrl: string): string =>
  hash("sha1", JSON.stringify([publicUrl, form === "reference" ? ReferenceBeatDetail : ConsoleBeatDetail])).slice(
    0,
    10,
  );

/** The tag that names an export in its ETag and file name. Exports with the same tag have the same bytes. */
export const tagOf = ({ position, form, fingerprint }: ExportName): string => `${position}-${form}-${fingerprint}`;

/** The file name of a complete export. The file of an incomplete export has `draftSuffix` after it. */
export const fileNameOf = (tag: string): string => `beats-${tag}.ndjson.gz`;

/** The inverse of `fileNameOf`. Also parses the file names of incomplete exports. Null for other files. */
export function parseFileName(file: string): ExportName | null {
  const [, position, form, fingerprint] =
    /^beats-(\d+)-(reference|console)-([0-9a-f]{10})\.ndjson\.gz(?:\.draft)?$/.exec(file) ?? [];
  return fingerprint === undefined ? null : { position: Number(position), form: form as Form, fingerprint };
}

/** The position that a tag begins with. */
export const positionOf = (tag: string): number => Number.parseInt(tag, 10);

/** An export: a file that is complete or still grows. */
export class Export implements ExportName {
  readonly position: number;
  readonly form: Form;
  readonly fingerprint: string;
  /** A time not after the export's snapshot, in Unix milliseconds. */
  readonly takenAtMs: number;
  /** The number of bytes written so far. */
  bytes: number;
  isComplete: boolean;
  readonly #folder: string;
  /** The reason why the export will never be complete; null without a failure. */
  failure: Error | null = null;
  readonly #readers = new Set<Readable>();
  #progress = Promise.withResolvers<void>();

  constructor(folder: string, name: ExportName, state: Pick<Export, "takenAtMs" | "bytes" | "isComplete">) {
    this.#folder = folder;
    this.position = name.position;
    this.form = name.form;
    this.fingerprint = name.fingerprint;
    this.takenAtMs = state.takenAtMs;
    this.bytes = state.bytes;
    this.isComplete = state.isComplete;
  }

  get tag(): string {
    return tagOf(this);
  }

  get etag(): string {
    return `"${this.tag}"`;
  }

  get lastModified(): string {
    return new Date(this.takenAtMs).toUTCString();
  }

  /** The path of the complete file. */
  get path(): string {
    return join(this.#folder, fileNameOf(this.tag));
  }

  get isBeingRead(): boolean {
    return this.#readers.size > 0;
  }

  /** Records the new size, and wakes the readers. */
  grow(bytes: number, isComplete: boolean): void {
    this.bytes = bytes;
    this.isComplete = isComplete;
    const before = this.#progress;
    this.#progress = Promise.withResolvers();
    before.resolve();
  }

  /** Fails all readers: the export will never be complete. */
  fail(error: Error): void {
    this.failure = error;
    this.grow(this.bytes, false);
  }

  /** Ends all readers with an error. */
  endReaders(): void {
    for (const reader of this.#readers) reader.destroy(new Error("The export is deleted, or the server stops."));
  }

  /**
   * Reads a range, or the whole export including bytes that are written later. Holds at most two slices of 64 kB in
   * memory, and the open file, which may be renamed or deleted in the meantime. Rejects with ENOENT if the file was
   * deleted before.
   */
  async read(range: ByteRange | null): Promise<Readable> {
    const file = await this.#open();
    const reader = Readable.from(this.#bytesOf(file, range), { objectMode: false, highWaterMark: sliceBytes });
    this.#readers.add(reader);
    reader.once("close", () => {
      this.#readers.delete(reader);
      void file.close();
    });
    return reader;
  }

  async #open(): Promise<FileHandle> {
    if (this.isComplete) return open(this.path);
    // The file may have been renamed a moment ago.
    return open(this.path + draftSuffix).catch(() => open(this.path));
  }

  async *#bytesOf(file: FileHandle, range: ByteRange | null): AsyncGenerator<Buffer> {
    for (let offset = range?.first ?? 0; ; ) {
      const end = range === null ? this.bytes : range.last + 1;
      if (offset < end) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(sliceBytes, end - offset));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
        if (bytesRead === 0) throw new Error("The file of an export is shorter than it was.");
        offset += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (range !== null || this.isComplete) return;
      else {
        const { promise } = this.#progress;
        if (this.failure !== null) throw this.failure;
        await promise;
      }
    }
  }
}

/** A key takes at most one export within this time (docs/api/exports.md, Limit). */
const takeIntervalSeconds = 3_600;

/** The last export that a key took. */
export interface ExportTake {
  /** The tag of the export; null until it has begun. */
  tag: string | null;
  /** Whole seconds until the key may take another export. */
  waitSeconds: number;
}

/**
 * Takes an export for a key. Returns null, or the last take if it was within the hour. One statement decides, so all
 * instances together admit one take. A key without limits is always admitted.
 */
export async function takeExport(
  db: Queryable,
  key: { id: number; isLimited: boolean },
  now: Date,
): Promise<ExportTake | null> {
  const before = new Date(now.getTime() - takeIntervalSeconds * 1_000);
  const { rows } = await sql`
    insert into export_takes as taken (api_key_id, taken_at) values (${key.id}, ${now})
    on conflict (api_key_id) do update set taken_at = excluded.taken_at, tag = null
    where taken.taken_at <= ${before} or not ${key.isLimited}::boolean
    returning api_key_id`.execute(db);
  if (rows.length > 0) return null;
  const last = await findLastTake(db, key.id);
  const agoSeconds = (now.getTime() - (last?.taken_at ?? now).getTime()) / 1_000;
  const waitSeconds = Math.min(takeIntervalSeconds, Math.max(1, Math.ceil(takeIntervalSeconds - agoSeconds)));
  return { tag: last?.tag ?? null, waitSeconds };
}

/** The export that a key took last; undefined if the key has taken no export. */
export const findLastTake = (db: Queryable, keyId: number) =>
  db.selectFrom("export_takes").select(["tag", "taken_at"]).where("api_key_id", "=", keyId).executeTakeFirst();

/** Records the tag of the export that the key took. */
export const setTakenTag = (db: Queryable, keyId: number, tag: string) =>
  db.updateTable("export_takes").set({ tag }).where("api_key_id", "=", keyId).execute();

/** Undoes the take of an export that failed. */
export const undoTake = (db: Queryable, keyId: number) =>
  db.deleteFrom("export_takes").where("api_key_id", "=", keyId).execute();

/** Undoes the takes of exports that were never completed or never began. */
export async function deleteUnfinishedTakes(db: Queryable, tags: readonly string[]): Promise<void> {
  await sql`delete from export_takes where tag is null or tag = any (${tags}::text[])`.execute(db);
}
