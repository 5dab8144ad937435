import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { newestPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { unavailable } from "./cluster/cluster.ts";
import type { StateStore } from "./feed/state.ts";

/** A question waits no longer for the cluster to take in changes. */
const maxWaitMs = 10_000;
const readTimeoutMs = 5_000;
const firstPauseMs = 5;
const maxPauseMs = 100;

/**
 * Makes a question wait until the cluster has every change that this process knew of when it was asked. One look at the
 * database serves all questions that were there when it began.
 */
export class Freshness {
  readonly #catalogue: FollowedVersion;
  readonly #reader: SnapshotReader;
  readonly #state: StateStore;
  #version = 0;
  #looking: Promise<void> | null = null;
  /** The position that the cluster is as of, at least. */
  position = 0;

  constructor(catalogue: FollowedVersion, reader: SnapshotReader, state: StateStore) {
    this.#catalogue = catalogue;
    this.#reader = reader;
    this.#state = state;
  }

  get version(): number {
    return this.#version;
  }

  /** Throws 503 if the cluster does not take in the changes in time, and the error of PostgreSQL. */
  async reach(version: number): Promise<void> {
    while (version > this.#version) {
      // The look that runs began before this question, and may be as of an earlier version.
      if (this.#looking !== null) await this.#looking.catch(() => {});
      if (version <= this.#version) return;
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
  }

  async #look(): Promise<void> {
    const version = this.#catalogue.current;
    const { position } = await this.#reader.read(newestPlace, { timeoutMs: readTimeoutMs });
    const startedMs = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const state = await this.#state.read();
      if (state === null) throw unavailable("The catalogue is being built in OpenSearch.");
      if (state.place.position >= position) {
        this.position = state.place.position;
        this.#version = Math.max(this.#version, version);
        return;
      }
      if (performance.now() - startedMs > maxWaitMs)
        throw unavailable("OpenSearch, which finds beats, does not have the newest changes of the catalogue yet.");
      await sleep(pauseMs);
    }
  }
}
