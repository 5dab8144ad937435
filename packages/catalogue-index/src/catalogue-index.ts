import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { SessionLock } from "@beatmarket/postgres/connection/session-lock.ts";
import type { Files } from "@beatmarket/storage/files.ts";
import type { Logger } from "pino";
import { type EarlyThread, snapshotsIn, startThread } from "./early-thread.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "./query.ts";
import { type Answer, building, errorOf, QuestionSender, unavailable } from "./question-sender.ts";
import { SharedSnapshots } from "./shared-snapshots.ts";
import type { FromThread, IndexQuery, LogLine, ThreadState, ToThread } from "./worker/messages.ts";
import type { SessionName } from "./worker/session-name.ts";
import type { SnapshotOwner } from "./worker/snapshot-file.ts";
import type { SnapshotOptions } from "./worker/snapshots.ts";

/** A number that changes whenever the catalogue does. */
export interface FollowedVersion {
  readonly current: number;
  /** Whether notices of other processes' writes arrive. */
  readonly isFollowed: boolean;
}

export interface CatalogueIndexParts {
  /** The primary. */
  address: DatabaseAddress;
  /** Name of the thread's session in PostgreSQL. */
  session: SessionName;
  catalogue: FollowedVersion;
  /** The data folder. The snapshot has a separate folder in it. */
  dataDir: string;
  /** The storage of all instances, for copies of their snapshots. Absent or null: there are none. */
  sharedFiles?: Files | null;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** A thread that was started earlier for this data folder. Absent: the index starts one. */
  earlyThread?: EarlyThread | undefined;
  /** Makes every query catch up, for tests that write to the database without the service and query immediately. */
  catchesUpAlways?: boolean;
  /** Replaces a server's snapshot settings, for tests. */
  snapshots?: { fromBeats: number; minAgeMs: number };
  /** How long a start, and a query, wait while the index is built. Absent: two seconds. */
  buildWaitMs?: number;
}

/** The state of the index, for /metrics and /readyz. */
export interface IndexState extends Omit<ThreadState, "version" | "snapshotAtMs"> {
  /** How many versions of the catalogue the index is behind, and for how long. */
  behindVersions: number;
  behindSeconds: number;
  /** Null without a snapshot. */
  snapshotAgeSeconds: number | null;
  /** Number of failed uploads of the snapshot to the shared storage; null without a shared storage. */
  failedSnapshotUploads: number | null;
  /** Number of crashes of the index's thread, since start. */
  crashes: number;
}

/** The index of a small catalogue, or of one with a snapshot, is ready before the server listens. */
const defaultBuildWaitMs = 2_000;
const tickMs = 1_000;
const crashPauseMs = 100;
const maxCrashPauseMs = 30_000;
const closeTimeoutMs = 3_000;

const initialState: ThreadState = {
  isReady: false,
  beats: 0,
  position: 0,
  version: 0,
  bytes: 0,
  builds: 0,
  catchUpSeconds: 0,
  snapshotAtMs: null,
};

/**
 * The index of the listed beats, in a thread of its own (README.md). A result is never older than the version of the
 * catalogue that this process knows: the index catches up first. Results hold ids; the caller reads rows by id.
 */
export class CatalogueIndex {
  readonly #parts: CatalogueIndexParts;
  readonly #closing = new AbortController();
  readonly #snapshots: SnapshotOptions;
  readonly #shared: SharedSnapshots | null;
  #worker: Worker | null = null;
  #exited: Promise<void> = Promise.resolve();
  #state = initialState;
  #ready = Promise.withResolvers<void>();
  readonly #questions = new QuestionSender((questions) => this.#worker?.postMessage(questions satisfies ToThread));
  /** Each function gives another thread a port to the index's thread. */
  readonly #portGivers = new Set<(port: MessagePort) => void>();
  /** With `catchesUpAlways`, this counter replaces the catalogue's version. */
  #ownVersion = 0;
  #crashes = 0;
  #crashesInARow = 0;
  #restart: NodeJS.Timeout | undefined;
  readonly #ticking: NodeJS.Timeout;
  #behindSinceMs: number | null = null;

  private constructor(parts: CatalogueIndexParts) {
    this.#parts = parts;
    this.#snapshots = { ...snapshotsIn(parts.dataDir), ...parts.snapshots };
    this.#shared = sharedSnapshots(parts, this.#snapshots);
    this.#start(parts.earlyThread?.take());
    this.#ticking = setInterval(() => this.#tick(), tickMs);
  }

  /** Starts the thread. Waits up to `buildWaitMs` for the index; a longer build continues in the background. */
  static async open(parts: CatalogueIndexParts): Promise<CatalogueIndex> {
    const index = new CatalogueIndex(parts);
    await index.#untilReady().catch(() => {});
    return index;
  }

  list = async (query: ListQuery): Promise<ListResult> => (await this.ask({ list: query })).result as ListResult;

  search = async (query: SearchQuery): Promise<SearchResult> =>
    (await this.ask({ search: query })).result as SearchResult;

  similar = async (query: SimilarQuery): Promise<SimilarHit[]> =>
    (await this.ask({ similar: query })).result as SimilarHit[];

  /**
   * Returns the result, and the position of the change stream to which it corresponds exactly; null between two steps
   * of a catch-up. Throws ApiError 503 while the index is built, after a crash of its thread, if too many questions
   * wait and if this one waits too long. Throws PostgreSQL's error if the index cannot catch up.
   */
  async ask(query: IndexQuery): Promise<Answer> {
    const version = this.#parts.catchesUpAlways === true ? ++this.#ownVersion : this.#parts.catalogue.current;
    if (!this.#state.isReady) await this.#untilReady();
    if (this.#closing.signal.aborted) throw unavailable("The catalogue's index is closed.");
    return this.#questions.ask(version, query);
  }

  /**
   * Gives another thread a port for an IndexClient: now, and whenever the index's thread has started again, until the
   * returned function is called.
   */
  share(give: (port: MessagePort) => void): () => void {
    this.#portGivers.add(give);
    if (this.#worker !== null) this.#connect(this.#worker, give);
    return () => this.#portGivers.delete(give);
  }

  #connect(worker: Worker, give: (port: MessagePort) => void): void {
    const { port1: port, port2 } = new MessageChannel();
    worker.postMessage({ port } satisfies ToThread, [port]);
    give(port2);
  }

  /** Whether a server with this index may get requests. */
  get isStarted(): boolean {
    return this.#state.isReady;
  }

  get state(): IndexState {
    const { version, snapshotAtMs, ...state } = this.#state;
    const behindVersions = Math.max(0, (this.#knownVersion ?? 0) - version);
    return {
      ...state,
      behindVersions,
      behindSeconds:
        behindVersions === 0 || this.#behindSinceMs === null ? 0 : (performance.now() - this.#behindSinceMs) / 1_000,
      snapshotAgeSeconds: snapshotAtMs === null ? null : Math.max(0, (Date.now() - snapshotAtMs) / 1_000),
      failedSnapshotUploads: this.#shared?.failedUploads ?? null,
      crashes: this.#crashes,
    };
  }

  /** Null while notices of other processes' writes do not arrive. */
  get #knownVersion(): number | null {
    const { catalogue, catchesUpAlways } = this.#parts;
    return catchesUpAlways === true || !catalogue.isFollowed ? null : catalogue.current;
  }

  /** Saves a snapshot if there is time, and ends the thread. Rejects waiting questions with 503. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#ticking);
    clearTimeout(this.#restart);
    this.#questions.refuseAll(unavailable("The server is stopping."));
    this.#shared?.stopFetching();
    this.#worker?.postMessage("close" satisfies ToThread);
    await withTimeout(this.#exited, closeTimeoutMs, building).catch(() => this.#worker?.terminate());
    await this.#shared?.close();
  }

  /** Throws ApiError 503 if the build takes too long. */
  #untilReady(): Promise<void> {
    return withTimeout(this.#ready.promise, this.#parts.buildWaitMs ?? defaultBuildWaitMs, building);
  }

  #start(earlyThread?: Worker | null): void {
    const { address, session } = this.#parts;
    const worker = earlyThread ?? startThread({ snapshots: this.#snapshots, withoutSnapshot: this.#crashes > 0 });
    worker.postMessage({ database: { address, session, sharesSnapshots: this.#shared !== null } } satisfies ToThread);
    const startedMs = performance.now();
    this.#worker = worker;
    for (const give of this.#portGivers) this.#connect(worker, give);
    this.#exited = new Promise((resolve) => {
      worker.once("exit", () => resolve());
    });
    let cause: unknown;
    worker.on("message", (message: FromThread) => this.#receive(message, worker));
    // The event "exit" follows.
    worker.on("error", (error) => {
      cause = error;
    });
    worker.once("exit", (code) => {
      if (!this.#closing.signal.aborted) this.#crashed(cause ?? new Error(`exit code ${code}`), startedMs);
    });
  }

  #crashed(cause: unknown, startedMs: number): void {
    this.#crashes++;
    // A crash after a minute of work starts a new series.
    this.#crashesInARow = performance.now() - startedMs > 60_000 ? 1 : this.#crashesInARow + 1;
    const pauseMs = Math.min(crashPauseMs * 2 ** (this.#crashesInARow - 1), maxCrashPauseMs);
    this.#parts.log.error(
      { err: cause },
      `the thread of the catalogue index crashed; starting it again in ${pauseMs} ms`,
    );
    this.#worker = null;
    this.#questions.refuseAll(
      unavailable("The catalogue's index had to be started again. Try again in 2 seconds.", cause),
    );
    this.#setState({ ...initialState, snapshotAtMs: this.#state.snapshotAtMs });
    this.#restart = setTimeout(() => this.#start(), pauseMs);
  }

  #receive({ replies, state, log, fetch }: FromThread, worker: Worker): void {
    if (state !== undefined) this.#setState(state);
    if (fetch !== undefined) void this.#fetch(fetch, worker);
    if (log !== undefined) this.#log(log);
    this.#questions.settle(replies ?? []);
  }

  async #fetch(owner: SnapshotOwner, worker: Worker): Promise<void> {
    const isFetched = (await this.#shared?.fetch(owner)) ?? false;
    worker.postMessage({ isFetched } satisfies ToThread);
  }

  #setState(state: ThreadState): void {
    const wasReady = this.#state.isReady;
    if (state.snapshotAtMs !== null && state.snapshotAtMs !== this.#state.snapshotAtMs) this.#shared?.offer();
    this.#state = state;
    if (state.version >= (this.#knownVersion ?? 0)) this.#behindSinceMs = null;
    if (state.isReady && !wasReady) this.#ready.resolve();
    if (!state.isReady && wasReady) this.#ready = Promise.withResolvers();
  }

  #log({ level, text, failure }: LogLine): void {
    if (failure === undefined) this.#parts.log[level](text);
    else this.#parts.log[level]({ err: errorOf(failure) }, text);
  }

  /** Keeps the index caught up while there are no questions, and rejects questions that waited too long. */
  #tick(): void {
    const version = this.#knownVersion;
    if (version !== null && this.#state.isReady && version > this.#state.version) {
      this.#behindSinceMs ??= performance.now();
      this.#questions.send({ id: 0, version: version, query: null });
    }
    this.#questions.expire();
  }
}

/** The name of the lock of the instance that stores its snapshot. Instances of every release must agree on it. */
export const snapshotsLockName = "snapshots of the catalogue index";

/** Null without a storage that all instances share. */
function sharedSnapshots(
  { sharedFiles: files = null, address, session, log }: CatalogueIndexParts,
  { file, minAgeMs }: SnapshotOptions,
): SharedSnapshots | null {
  if (files === null) return null;
  const lock = new SessionLock(address, session, snapshotsLockName);
  return new SharedSnapshots({ files, file, lock, minAgeMs, log });
}
