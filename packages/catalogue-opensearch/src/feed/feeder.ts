import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { SessionName } from "@beatmarket/catalogue-index/worker/session-name.ts";
import { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { SessionLock } from "@beatmarket/postgres/connection/session-lock.ts";
import type { Logger } from "pino";
import { indicesOfOtherBuilds, isSearched, removeAliases, removeIndices, switchTo } from "../cluster/aliases.ts";
import { Build } from "../cluster/build.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { shapeDigest } from "../cluster/documents.ts";
import { type FeedState, LostClaim, StateStore } from "./state.ts";
import { buildAll, catchUp, type IndexedBuild } from "./steps.ts";

export interface FeederParts {
  /** The primary. */
  address: DatabaseAddress;
  session: SessionName;
  catalogue: FollowedVersion;
  cluster: Cluster;
  log: Pick<Logger, "info" | "warn" | "error">;
}

const idleMs = 20;
/** Without notifications of changes, every step reads from PostgreSQL. */
const unfollowedMs = 250;
const lockEveryMs = 1_000;
const requestsEveryMs = 2_000;
const retryMs = 500;
const buildRetryMs = 5_000;
const progressEveryMs = 10_000;

/** The build that searches use. */
type Serving = IndexedBuild & Pick<FeedState, "builtAtMs" | "request">;

interface RunningBuild {
  reader: SnapshotReader;
  request: string | null;
  result: IndexedBuild | Error | null;
}

/**
 * Writes the changes of the catalogue to the cluster, in one process at a time. The other processes wait for the lock.
 */
export class Feeder {
  readonly #parts: FeederParts;
  readonly #lock: SessionLock;
  readonly #reader: SnapshotReader;
  readonly #state: StateStore;
  readonly #closing = new AbortController();
  #serving: Serving | null = null;
  /** Whether the state document equals `#serving`. */
  #isSaved = false;
  /** Whether this process has read the state since it got the lock. Until then, `#serving` is not known. */
  #isOpened = false;
  /** The version of the catalogue that the cluster has; null if unknown. */
  #version: number | null = null;
  #building: RunningBuild | null = null;
  #request: string | null = null;
  #checkedAtMs = 0;
  #lastFailure = "";
  #isDone: Promise<void> = Promise.resolve();
  builds = 0;
  catchUpSeconds = 0;

  constructor(parts: FeederParts) {
    this.#parts = parts;
    this.#lock = new SessionLock(parts.address, parts.session, `${parts.cluster.prefix} ${shapeDigest}`);
    this.#reader = new SnapshotReader(parts.address, parts.session);
    this.#state = new StateStore(parts.cluster);
  }

  start(): void {
    this.#isDone = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#reader.close();
    this.#building?.reader.close();
    this.#lock.close();
    await this.#isDone;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let pauseMs: number;
      try {
        pauseMs = await this.#step();
        this.#lastFailure = "";
      } catch (error) {
        pauseMs = this.#serving === null ? buildRetryMs : retryMs;
        this.#version = null;
        // Another process claimed the state, and may have the lock. So this process asks for the lock again.
        if (error instanceof LostClaim) this.#lock.close();
        if (!signal.aborted) this.#fail(error as Error);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Does the due work, and returns the milliseconds until the next step. */
  async #step(): Promise<number> {
    if (!this.#lock.isHeld) {
      // Another process may have written to the cluster while this one did not have the lock.
      this.#isOpened = false;
      if (!(await this.#lock.take())) return lockEveryMs;
    }
    if (!this.#isOpened) {
      this.#serving = await this.#open();
      this.#version = null;
      this.#isOpened = true;
    }
    await this.#checkForRequest();
    if (this.#serving === null && this.#building === null) this.#startBuild();
    if (this.#building?.result) await this.#adopt(this.#building, this.#building.result);
    if (this.#serving === null) return unfollowedMs;
    const { catalogue } = this.#parts;
    const { current, isFollowed } = catalogue;
    if (current !== this.#version) await this.#catchUp(this.#serving, current);
    return isFollowed ? idleMs : unfollowedMs;
  }

  /**
   * Claims the state, and removes all other builds, so that the previous holder of the lock cannot switch to one of
   * them later.
   */
  async #open(): Promise<Serving | null> {
    this.#building?.reader.close();
    this.#building = null;
    const { cluster } = this.#parts;
    const state = await this.#state.claim();
    this.#isSaved = true;
    const serving = state && { ...state, build: new Build(cluster, state.build) };
    await removeIndices(cluster, await indicesOfOtherBuilds(cluster, serving?.build ?? null));
    return serving;
  }

  async #catchUp(serving: Serving, version: number): Promise<void> {
    const startedMs = performance.now();
    const reached = await catchUp(this.#reader, serving);
    if ("reason" in reached) {
      this.#parts.log.warn(`the catalogue in OpenSearch is built again: ${reached.reason}`);
      this.#serving = null;
      await this.#save();
      await removeAliases(this.#parts.cluster);
      return;
    }
    if (reached.position > serving.place.position) this.#isSaved = false;
    this.#serving = { ...serving, place: reached };
    // If an earlier step could not save its place, this step saves the place.
    if (!this.#isSaved && this.#lock.isHeld) await this.#save();
    this.#version = version;
    this.catchUpSeconds = (performance.now() - startedMs) / 1_000;
  }

  #startBuild(): void {
    const { address, session, cluster, log } = this.#parts;
    const reader = new SnapshotReader(address, session);
    const building: RunningBuild = { reader, request: this.#request, result: null };
    this.#building = building;
    const startedMs = performance.now();
    let reportedMs = startedMs;
    log.info("building the catalogue in OpenSearch from all rows");
    const report = (beats: number): void => {
      if (performance.now() - reportedMs < progressEveryMs) return;
      reportedMs = performance.now();
      log.info(`building the catalogue in OpenSearch: ${beats.toLocaleString("en")} beats so far`);
    };
    void buildAll(reader, cluster, `${shapeDigest}-${Date.now().toString(36)}`, report).then(
      (build) => {
        building.result = build;
      },
      (error: Error) => {
        building.result = error;
      },
    );
  }

  /** Brings a finished build up to date, and switches to it. Throws if it is older than the present one. */
  async #adopt({ reader, request }: RunningBuild, result: IndexedBuild | Error): Promise<void> {
    reader.close();
    this.#building = null;
    if (result instanceof Error) throw result;
    const reached = await catchUp(this.#reader, result);
    if ("reason" in reached) throw new Error(`The build cannot be used: ${reached.reason}.`);
    if (this.#serving !== null && reached.position < this.#serving.place.position)
      throw new Error("The build is older than the present one.");
    if (!this.#lock.isHeld) return;
    const { cluster } = this.#parts;
    // Lists the other builds before `#save`, which fails if another process has claimed the state. So none of them
    // belongs to a later claimant.
    const others = await indicesOfOtherBuilds(cluster, result.build);
    await this.#save();
    // Switches before the place is written, so that no search lacks a change that the state includes.
    await switchTo(cluster, result.build);
    this.#serving = { build: result.build, place: reached, builtAtMs: Date.now(), request };
    await this.#save();
    await removeIndices(cluster, others);
    this.builds++;
    this.#parts.log.info("the catalogue in OpenSearch is built");
  }

  async #save(): Promise<void> {
    this.#isSaved = false;
    await this.#state.write(this.#serving && { ...this.#serving, build: this.#serving.build.name });
    this.#isSaved = true;
  }

  /**
   * Corrects the aliases if a process that lost the lock has switched or removed them after this one claimed the state.
   */
  async #correctAliases({ build }: Serving): Promise<void> {
    const { cluster, log } = this.#parts;
    if (await isSearched(cluster, build)) return;
    await this.#save();
    await switchTo(cluster, build);
    log.warn("the aliases of the catalogue in OpenSearch pointed to another build, and were corrected");
  }

  async #checkForRequest(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#checkedAtMs < requestsEveryMs) return;
    this.#checkedAtMs = nowMs;
    if (this.#serving !== null) await this.#correctAliases(this.#serving);
    this.#request = await this.#state.request();
    if (this.#serving !== null && this.#building === null && this.#request !== this.#serving.request)
      this.#startBuild();
  }

  #fail(error: Error): void {
    if (error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    this.#parts.log.error({ err: error }, "the catalogue in OpenSearch could not be brought up to date; trying again");
  }
}
