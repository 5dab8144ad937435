import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { SessionLock } from "@beatmarket/postgres/connection/session-lock.ts";
import type { Files, ListedFile } from "@beatmarket/storage/files.ts";
import type { Logger } from "pino";
import {
  factsOf,
  LocalFileError,
  receiveSnapshot,
  type SnapshotFacts,
  type SnapshotOwner,
  UnusableSnapshot,
} from "./worker/snapshot-file.ts";

export interface SharedSnapshotsParts {
  /** The storage that all instances share. */
  files: Files;
  /** The snapshot of this instance. */
  file: string;
  /** Held during an upload, so that one instance uploads at a time. */
  lock: Pick<SessionLock, "take" | "close">;
  /** Minimum time between two uploads if the size changed by a fiftieth, or at shutdown; otherwise six times that. */
  minAgeMs: number;
  log: Pick<Logger, "info" | "warn">;
  /** Replaces the limits of a slow storage, for tests. */
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Time limit of the storage's first response, at a start. */
  responseMs: 5_000,
  /** A download that brings less than `windowBytes` in this time is given up: building the index would be as fast. */
  windowMs: 10_000,
  windowBytes: 100_000_000,
  /** Time limit of the upload at shutdown. */
  closeMs: 3_000,
};

const folder = "catalogue-index/";
/** The pace of an upload, so that it does not delay requests. */
const bytesPerSecond = 25_000_000;
const chunkBytes = 1 << 20;
/** The newest, and one for instances that are reading it or find the newest damaged. */
const keptSnapshots = 2;
/** How long the snapshots of other releases are kept, for a return to one. */
const otherReleaseMs = 7 * 86_400_000;
const draftMaxAgeMs = 86_400_000;

/**
 * The snapshots of the index in the storage, from which an instance without one of its own starts. They are copies of
 * the instances' snapshots; their names contain the database, the release, the position and the checksum. A storage
 * that fails or hangs is only logged.
 */
export class SharedSnapshots {
  readonly #parts: SharedSnapshotsParts;
  readonly #limits: typeof defaultLimits;
  /** Ends a running download. */
  readonly #fetchStop = new AbortController();
  /** Ends the pauses of a running upload. */
  readonly #pauseStop = new AbortController();
  /** Ends a running upload. */
  readonly #uploadStop = new AbortController();
  /** The keys of snapshots that could not be used. */
  readonly #refused = new Set<string>();
  /** The key of the snapshot that was fetched last. */
  #fetched: string | null = null;
  #uploading: Promise<void> = Promise.resolve();
  #isUploadWaiting = false;
  /** The file of a running upload. */
  #uploadedFile: FileHandle | null = null;
  /** Whether this instance's file is known to be usable. */
  #isOffered = false;
  #failedUploads = 0;

  constructor(parts: SharedSnapshotsParts) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
  }

  /**
   * Replaces this instance's snapshot by the newest one of this owner in the storage. Another call means that the
   * fetched snapshot could not be used, and fetches the one before it. Returns false, and logs why, if there is none or
   * the storage does not send it.
   */
  async fetch(owner: SnapshotOwner): Promise<boolean> {
    const { files, log } = this.#parts;
    if (this.#fetched !== null) this.#refused.add(this.#fetched);
    try {
      const listed = await withTimeout(this.#list(), this.#limits.responseMs, silent);
      for (const candidate of this.#usable(listed, owner)) if (await this.#download(candidate)) return true;
      log.info(`${files.place} has no snapshot for this start${reasonOf(listed, owner)}`);
    } catch (error) {
      const reason = error instanceof LocalFileError ? error.message : files.explain(error);
      log.warn(`no snapshot could be taken from ${files.place}: ${reason}; going on without it`);
    }
    return false;
  }

  /**
   * Call it when this instance's snapshot is usable. Uploads it in the background, if the stored ones are old enough.
   */
  offer(): void {
    this.#isOffered = true;
    if (this.#isUploadWaiting || this.#pauseStop.signal.aborted) return;
    this.#isUploadWaiting = true;
    this.#uploading = this.#uploading.then(() => {
      this.#isUploadWaiting = false;
      return this.#upload();
    });
  }

  get failedUploads(): number {
    return this.#failedUploads;
  }

  /** Resolves when no upload is running. */
  settled(): Promise<void> {
    return this.#uploading;
  }

  /** Ends a running `fetch`, which then returns false. */
  stopFetching(): void {
    this.#fetchStop.abort(new Error("the server stops"));
  }

  /** Uploads the last snapshot if there is time. */
  async close(): Promise<void> {
    this.stopFetching();
    this.#pauseStop.abort();
    if (!this.#isOffered) return;
    const last = this.#uploading.then(() => this.#upload());
    await withTimeout(last, this.#limits.closeMs, silent).catch(async () => {
      this.#uploadStop.abort(new Error("the server stops"));
      this.#parts.lock.close();
      await this.#uploadedFile?.close();
    });
  }

  /** The snapshots of this owner that were not refused. */
  #usable(listed: readonly ListedFile[], owner: SnapshotOwner): ListedFile[] {
    return listed.filter(({ key }) => key.startsWith(folderOf(owner)) && !this.#refused.has(key));
  }

  /** Newest first. */
  async #list(): Promise<ListedFile[]> {
    const listed: ListedFile[] = [];
    for await (const file of this.#parts.files.list(folder)) listed.push(file);
    return listed.sort((a, b) => b.putAt.getTime() - a.putAt.getTime() || (a.key < b.key ? 1 : -1));
  }

  /** Returns false, and logs why, if the content is not the snapshot of this name. */
  async #download({ key, bytes }: ListedFile): Promise<boolean> {
    const { files, file, log } = this.#parts;
    const startedMs = performance.now();
    try {
      const opening = files.get(key);
      const content = await withTimeout(opening, this.#limits.responseMs, silent).catch((error) => {
        opening.then((late) => late?.destroy()).catch(() => {});
        throw error;
      });
      if (content === null) throw new UnusableSnapshot("it is no longer there");
      await receiveSnapshot(file, this.#withTimeLimit(content), (facts) => {
        if (facts.bytes !== bytes || keyOf(facts) !== key) throw new UnusableSnapshot("it is cut off or damaged");
      }).finally(() => content.destroy());
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error;
      this.#refused.add(key);
      log.warn(`the snapshot ${key} of ${files.place} is not used, since ${error.message}`);
      return false;
    }
    this.#fetched = key;
    log.info(`took the snapshot ${key} of ${files.place}: ${megabytes(bytes)} in ${seconds(startedMs)}`);
    return true;
  }

  /** Yields the content. Throws when it arrives too slowly, and when fetching is stopped. */
  async *#withTimeLimit(content: Readable): AsyncGenerator<Buffer> {
    const { windowMs, windowBytes } = this.#limits;
    let received = 0;
    const watching = setInterval(() => {
      if (received < windowBytes)
        content.destroy(new Error(`it sent only ${megabytes(received)} in ${windowMs / 1_000} s`));
      received = 0;
    }, windowMs);
    const stop = () => content.destroy(this.#fetchStop.signal.reason);
    this.#fetchStop.signal.addEventListener("abort", stop);
    if (this.#fetchStop.signal.aborted) stop();
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        received += chunk.length;
        yield chunk;
      }
    } finally {
      clearInterval(watching);
      this.#fetchStop.signal.removeEventListener("abort", stop);
    }
  }

  /** Never rejects. */
  async #upload(): Promise<void> {
    const { files, file, lock, log } = this.#parts;
    // Without a file there is nothing to store: it was discarded.
    const handle = await open(file).catch(() => null);
    this.#uploadedFile = handle;
    try {
      if (handle === null || !(await lock.take().catch(() => false))) return;
      const facts = this.#readFacts(handle);
      const key = keyOf(facts);
      const listed = await this.#list();
      const usable = this.#usable(listed, facts.owner);
      // Names of one owner begin with the position. An instance that was stopped for long has an older snapshot.
      if (usable.some((other) => other.key >= key)) return;
      const [newest] = usable;
      if (newest !== undefined && !this.#isDue(facts, newest)) return;
      const startedMs = performance.now();
      await files.put(key, this.#paced(handle));
      log.info(`stored the snapshot ${key} in ${files.place}: ${megabytes(facts.bytes)} in ${seconds(startedMs)}`);
      const retained = usable.slice(0, keptSnapshots - 1);
      await this.#deleteOutdated(
        listed.filter((other) => other.key !== key && !retained.includes(other)),
        facts.owner,
      );
    } catch (error) {
      if (this.#uploadStop.signal.aborted) return;
      const isLocal = error instanceof LocalFileError;
      if (!isLocal) this.#failedUploads++;
      const reason = isLocal ? error.message : files.explain(error);
      log.warn(`the snapshot could not be stored in ${files.place}: ${reason}; going on without it`);
    } finally {
      lock.close();
      await handle?.close().catch(() => {});
    }
  }

  /** Deletes snapshots that are no longer needed, and parts of uploads that ended early. Never rejects. */
  async #deleteOutdated(listed: readonly ListedFile[], owner: SnapshotOwner): Promise<void> {
    const { files, log } = this.#parts;
    try {
      for (const other of listed) if (isOutdated(other, owner)) await files.delete(other.key);
      await files.deleteDrafts(new Date(Date.now() - draftMaxAgeMs), (draft) => draft.startsWith(folder));
    } catch (error) {
      if (!this.#uploadStop.signal.aborted)
        log.warn(`old snapshots in ${files.place} could not be deleted: ${files.explain(error)}`);
    }
  }

  #isDue({ bytes }: SnapshotFacts, newest: ListedFile): boolean {
    const hasChangedMuch = Math.abs(bytes - newest.bytes) >= newest.bytes / 50;
    const isLast = this.#pauseStop.signal.aborted;
    const minAgeMs = this.#parts.minAgeMs * (hasChangedMuch || isLast ? 1 : 6);
    return Date.now() - newest.putAt.getTime() >= minAgeMs;
  }

  #readFacts(handle: FileHandle): SnapshotFacts {
    try {
      return factsOf(handle.fd);
    } catch (error) {
      throw this.#localError(error as Error);
    }
  }

  #localError(cause: Error): LocalFileError {
    return new LocalFileError(`${this.#parts.file} could not be read: ${cause.message}`, { cause });
  }

  async *#paced(handle: FileHandle): AsyncGenerator<Buffer> {
    for (let index = 0; ; ) {
      this.#uploadStop.signal.throwIfAborted();
      const { buffer, bytesRead } = await handle
        .read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, index)
        .catch((error) => {
          throw this.#localError(error);
        });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      index += bytesRead;
      await sleep((1_000 * bytesRead) / bytesPerSecond, undefined, { signal: this.#pauseStop.signal }).catch(() => {});
    }
  }
}

const folderOf = ({ cluster, database, program }: SnapshotOwner): string =>
  `${folder}${cluster}-${database}/${program}/`;

const keyOf = ({ owner, position, checksum }: SnapshotFacts): string =>
  `${folderOf(owner)}${String(position).padStart(16, "0")}-${checksum}`;

/** The end of a sentence: why none of these is used. */
function reasonOf(listed: readonly ListedFile[], { cluster, database }: SnapshotOwner): string {
  if (listed.length === 0) return "";
  const isOfDatabase = listed.some(({ key }) => key.startsWith(`${folder}${cluster}-${database}/`));
  return isOfDatabase
    ? ": its snapshots are of other releases, or not usable"
    : ": its snapshots are of another database";
}

/** Whether a snapshot may be deleted once this owner has newer ones. */
const isOutdated = ({ key, putAt }: ListedFile, owner: SnapshotOwner): boolean =>
  key.startsWith(folderOf(owner)) || Date.now() - putAt.getTime() > otherReleaseMs;

const silent = (): Error => new Error("it does not respond");
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;
