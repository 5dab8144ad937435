import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { newestPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { type Cluster, unavailable } from "./cluster/cluster.ts";
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
  readonly #cluster: Pick<Cluster, "moves" | "move">;
  #version = 0;
  /** The cluster's moves as of `#version`: another node may have less. */
  #moves = -1;
  #looking: Promise<void> | null = null;
  /** The position that the cluster is as of, at least. */
  position = 0;

  constructor(
    catalogue: FollowedVersion,
    reader: SnapshotReader,
    state: StateStore,
    cluster: Pick<Cluster, "moves" | "move">,
  ) {
    this.#catalogue = catalogue;
    this.#reader = reader;
    this.#state = state;
    this.#cluster = cluster;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether the node that responds has the version. */
  #has(version: number): boolean {
    return version <= this.#version && this.#moves === this.#cluster.moves;
  }

  /** Throws 503 if the cluster does not take in the changes in time, and the error of PostgreSQL. */
  async reach(version: number): Promise<void> {
    while (!this.#has(version)) {
      // The look that runs began before this question, and may be as of an earlier version.
      if (this.#looking !== null) await this.#looking.catch(() => {});
      if (this.#has(version)) return;
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
      const { moves } = this.#cluster;
      const state = await this.#state.read();
      // Unless another node has responded, to this or to another request.
      const isSame = moves === this.#cluster.moves;
      if (state === null) throw unavailable("The catalogue is being built in OpenSearch.");
      if (isSame && state.place.position >= position) {
        this.position = state.place.position;
        this.#version = moves === this.#moves ? Math.max(this.#version, version) : version;
        this.#moves = moves;
        return;
      }
      if (performance.now() - startedMs > maxWaitMs) {
        // This node may be cut off from the others.
        this.#cluster.move();
        throw unavailable("OpenSearch, which finds beats, does not have the newest changes of the catalogue yet.");
      }
      await sleep(pauseMs);
    }
  }
}
