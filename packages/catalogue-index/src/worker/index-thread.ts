import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import type { Engine, SavedArrays } from "../engine/engine.ts";
import type { EarlySnapshot } from "./early-snapshot.ts";
import { Follower } from "./follower.ts";
import type {
  Failure,
  FromThread,
  IndexQuery,
  IndexResult,
  Question,
  Reply,
  ThreadData,
  ThreadDatabase,
  ThreadState,
} from "./messages.ts";
import type { SnapshotOwner } from "./snapshot-file.ts";
import { SnapshotReader } from "./snapshot-reader.ts";
import { Snapshots, type UsableSnapshot } from "./snapshots.ts";

type Post = (message: FromThread) => void;

interface ThreadParts extends ThreadData, Omit<ThreadDatabase, "sharesSnapshots"> {
  openEngine: (saved?: SavedArrays) => Engine;
  /** The snapshot that was opened before there was a database; null without one. */
  early: EarlySnapshot | null;
  /** Replaces the snapshot on disk by another one of this owner; resolves to false if there is no further one. */
  fetchSnapshot: (owner: SnapshotOwner) => Promise<boolean>;
  /** To the thread that started this one, which gets the log as well. */
  post: Post;
}

interface WaitingQuestion extends Question {
  /** Where the reply goes. */
  post: Post;
  sinceMs: number;
}

/** The time limit of requests, after which the caller has given up. */
const maxWaitMs = 20_000;
const progressEveryMs = 10_000;
const maintenanceEveryMs = 60_000;
const retryMs = 150;
const maxBuildRetryMs = 10_000;
/** Changes are merged once nothing has changed for this long: longer than an import's pause between two batches. */
const quietMs = 5_000;
/** Time limit of the last snapshot. */
const maxCloseMs = 1_500;

/**
 * Runs in the index's thread: builds or opens the index, catches it up when a question needs a newer version of the
 * catalogue, answers, and saves snapshots.
 */
export class IndexThread {
  readonly #parts: Omit<ThreadParts, "early">;
  readonly #reader: SnapshotReader;
  readonly #snapshots: Snapshots;
  readonly #closing = new AbortController();
  #follower: Follower | null = null;
  #waiting: WaitingQuestion[] = [];
  /** The threads that ask: the one that started this one, and attached ones. */
  readonly #askers: Set<Post>;
  /** The newest requested version, and the version that the index is caught up with. */
  #requestedVersion = 0;
  #version = 0;
  /** Whether there is nothing left to merge. */
  #isCompact = true;
  #builds = 0;
  /** Whether snapshots of other instances may be used: only until there is an index. */
  #mayFetch: boolean;
  #catchUpSeconds = 0;
  #wake: () => void = () => {};
  #lastFailure = "";

  constructor({ early, ...parts }: ThreadParts) {
    this.#parts = parts;
    this.#askers = new Set([parts.post]);
    this.#reader = new SnapshotReader(parts.address, parts.session);
    this.#mayFetch = !parts.withoutSnapshot;
    this.#snapshots = new Snapshots({
      options: parts.snapshots,
      openEngine: parts.openEngine,
      early,
      warn: (text) => this.#log("warn", text),
    });
  }

  /** Answers a question immediately if the index has its version, otherwise after the next catch-up. */
  receive(questions: readonly Question[], post: Post = this.#parts.post): void {
    const replies: Reply[] = [];
    for (const question of questions) {
      if (question.version > this.#requestedVersion) this.#requestedVersion = question.version;
      if (this.#follower !== null && question.version <= this.#version) this.#reply(question, replies);
      else this.#waiting.push({ ...question, post, sinceMs: performance.now() });
    }
    if (replies.length > 0) post({ replies });
    if (this.#requestedVersion > this.#version) this.#wake();
  }

  /** Sends the state to another thread from now on, until the returned function is called. */
  attach(post: Post): () => void {
    this.#askers.add(post);
    post({ state: this.#state() });
    return () => {
      this.#askers.delete(post);
      this.#waiting = this.#waiting.filter((question) => question.post !== post);
    };
  }

  /** Runs until `close`. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#work();
        failures = 0;
        this.#lastFailure = "";
      } catch (error) {
        if (this.#closing.signal.aborted) break;
        this.#fail(error as Error);
        const pauseMs = this.#follower === null ? Math.min(retryMs * 2 ** failures++, maxBuildRetryMs) : retryMs;
        await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
    await this.#saveLast();
    this.#report();
  }

  close(): void {
    this.#closing.abort();
    this.#reader.close();
    this.#wake();
  }

  async #work(): Promise<void> {
    if (this.#follower === null) await this.#open();
    else if (this.#requestedVersion > this.#version) await this.#catchUp(this.#follower);
    else if (this.#snapshots.isDue(this.#follower)) {
      await this.#snapshots.write(this.#follower, () => this.#waiting.length > 0);
      void this.#snapshots.settled().then(() => this.#report());
    } else if (!(await this.#hasWorkWithin(this.#isCompact ? maintenanceEveryMs : quietMs))) {
      await this.#compact(this.#follower);
    }
  }

  /** Merges part by part, until there is something to catch up with. Questions are answered between the parts. */
  async #compact({ engine }: Follower): Promise<void> {
    while (this.#requestedVersion <= this.#version && !this.#closing.signal.aborted) {
      this.#isCompact = !engine.compact();
      if (this.#isCompact) return;
      await turn();
    }
  }

  async #open(): Promise<void> {
    const version = this.#requestedVersion;
    const follower = (await this.#fromSnapshot()) ?? (await this.#fromFetched()) ?? (await this.#build());
    this.#mayFetch = false;
    this.#ready(follower, version);
  }

  async #fromFetched(): Promise<Follower | null> {
    const { owner } = this.#snapshots;
    while (this.#mayFetch && owner !== null) {
      this.#mayFetch = await this.#parts.fetchSnapshot(owner);
      const follower = this.#mayFetch ? await this.#fromSnapshot() : null;
      if (follower !== null) return follower;
    }
    return null;
  }

  async #fromSnapshot(): Promise<Follower | null> {
    const startedMs = performance.now();
    const snapshot = await this.#reader.read((query) => this.#snapshots.read(query));
    if (snapshot === null) return null;
    if (this.#parts.withoutSnapshot || this.#builds > 0) {
      this.#snapshots.discard();
      return null;
    }
    const { follower, reason } = await this.#continued(snapshot);
    if (reason !== null) {
      this.#snapshots.refuse(reason);
      return null;
    }
    this.#log(
      "info",
      `the catalogue index has ${thousands(follower.engine.beats)} beats of its snapshot and applied ${thousands(follower.applied)} later changes, in ${seconds(startedMs)}`,
    );
    return follower;
  }

  async #continued({ place, openEngine }: UsableSnapshot): Promise<{ follower: Follower; reason: string | null }> {
    let follower: Follower;
    try {
      follower = new Follower(this.#reader, openEngine(), place);
      return { follower, reason: await follower.catchUp() };
    } catch (error) {
      if (!hasCode(error)) this.#snapshots.refuse(`it cannot be opened: ${(error as Error).message}`);
      throw error;
    }
  }

  async #build(): Promise<Follower> {
    const startedMs = performance.now();
    let loggedMs = startedMs;
    this.#log("info", "building the catalogue index from all rows");
    const follower = await Follower.build(this.#reader, this.#parts.openEngine(), (beats) => {
      if (performance.now() - loggedMs < progressEveryMs) return;
      loggedMs = performance.now();
      this.#log("info", `building the catalogue index: ${thousands(beats)} beats after ${seconds(startedMs)}`);
    });
    this.#builds++;
    // Arrays discarded by merges are tens of megabytes, and queries allocate too little to have them collected soon.
    globalThis.gc?.();
    this.#log(
      "info",
      `the catalogue index is built: ${thousands(follower.engine.beats)} beats in ${seconds(startedMs)}`,
    );
    return follower;
  }

  /** Runs one catch-up for all waiting questions; later questions with a newer version wait for the next one. */
  async #catchUp(follower: Follower): Promise<void> {
    const version = this.#requestedVersion;
    const startedMs = performance.now();
    let reason: string | null;
    try {
      reason = await follower.catchUp();
    } catch (error) {
      // If the engine throws on a change, its state is unknown.
      if (!hasCode(error)) this.#drop();
      throw error;
    }
    if (reason !== null) {
      this.#log("warn", `the catalogue index is rebuilt: ${reason}`);
      this.#drop();
      return;
    }
    this.#catchUpSeconds = (performance.now() - startedMs) / 1_000;
    this.#ready(follower, version);
  }

  #ready(follower: Follower, version: number): void {
    this.#follower = follower;
    this.#version = version;
    const replies = new Map<Post, Reply[]>();
    const earliestMs = performance.now() - maxWaitMs;
    const waiting = this.#waiting.filter(({ sinceMs }) => sinceMs > earliestMs);
    this.#waiting = waiting.filter((question) => question.version > version);
    for (const question of waiting)
      if (question.version <= version) this.#reply(question, repliesOf(replies, question.post));
    this.#report(replies);
    this.#isCompact = false;
  }

  #drop(): void {
    this.#follower = null;
    this.#snapshots.discard();
    this.#report();
  }

  #reply({ id, query }: Question, replies: Reply[]): void {
    if (query === null || this.#follower === null) return;
    try {
      const { engine, position } = this.#follower;
      replies.push({ id, position, result: resultOf(engine, query) });
    } catch (error) {
      replies.push({ id, failure: failureOf(error as Error) });
    }
  }

  /** Passes the error to the waiting questions. While there is no index yet, they go on waiting for the build. */
  #fail(error: Error): void {
    if (this.#follower !== null) {
      const failure = failureOf(error);
      const replies = new Map<Post, Reply[]>();
      for (const { id, post } of this.#waiting) repliesOf(replies, post).push({ id, failure });
      this.#waiting = [];
      for (const [post, replyList] of replies) post({ replies: replyList });
    }
    if (error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    const action = this.#follower === null ? "built" : "caught up";
    this.#log("error", `the catalogue index could not be ${action}; trying again`, failureOf(error));
  }

  #report(replies: ReadonlyMap<Post, Reply[]> = new Map()): void {
    const state = this.#state();
    for (const post of this.#askers) {
      const earlier = replies.get(post);
      post(earlier === undefined ? { state } : { replies: earlier, state });
    }
  }

  #state(): ThreadState {
    const { used_heap_size, external_memory } = getHeapStatistics();
    return {
      isReady: this.#follower !== null,
      beats: this.#follower?.engine.beats ?? 0,
      position: this.#follower?.place.position ?? 0,
      version: this.#version,
      bytes: used_heap_size + external_memory,
      builds: this.#builds,
      catchUpSeconds: this.#catchUpSeconds,
      snapshotAtMs: this.#snapshots.madeAtMs,
    };
  }

  #log(level: "info" | "warn" | "error", text: string, failure?: Failure): void {
    this.#parts.post({ log: { level, text, ...(failure !== undefined && { failure }) } });
  }

  /** Waits until there is something to catch up with, or until `close`; resolves to false after the time limit. */
  #hasWorkWithin(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.min(timeoutMs, this.#parts.snapshots.minAgeMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  async #saveLast(): Promise<void> {
    const late = sleep(maxCloseMs, undefined, { ref: false });
    const follower = this.#follower;
    const save = async (): Promise<void> => {
      await this.#snapshots.settled();
      if (follower === null || !this.#snapshots.isOutdated(follower)) return;
      void this.#snapshots.write(follower, () => false);
      await this.#snapshots.settled();
    };
    await Promise.race([save(), late]);
  }
}

function repliesOf(repliesByPost: Map<Post, Reply[]>, post: Post): Reply[] {
  const list = repliesByPost.get(post) ?? [];
  repliesByPost.set(post, list);
  return list;
}

function resultOf(engine: Engine, query: IndexQuery): IndexResult {
  if ("list" in query) return engine.list(query.list);
  if ("search" in query) return engine.search(query.search);
  return engine.similar(query.similar);
}

/** Errors of PostgreSQL and of the network have a code. */
const hasCode = (error: unknown): boolean => (error as { code?: string }).code !== undefined;

const failureOf = (error: Error & { code?: string }): Failure => ({
  message: error.message,
  code: error.code,
  stack: error.stack,
});

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;
