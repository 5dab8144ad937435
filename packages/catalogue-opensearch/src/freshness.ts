import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { newestPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { type Cluster, unavailable } from "./cluster/cluster.ts";
import type { StateStore } from "./feed/state.ts";

/** The longest time for which a query waits for changes to arrive in the cluster. */
const maxWaitMs = 10_000;
const readTimeoutMs = 5_000;
const firstPauseMs = 5;
const maxPauseMs = 100;

/**
 * Makes a query wait until the cluster has every change that this process knew when the query arrived. One check serves
 * all queries that arrived before it.
 */
export class Freshness {
  readonly #catalogue: FollowedVersion;
  readonly #reader: SnapshotReader;
  readonly #state: StateStore;
  readonly #cluster: Pick<Cluster, "moves" | "move">;
  #version = 0;
  /** The cluster's `moves` when it reached `#version`. After a move, another node responds, which may lack changes. */
  #moves = -1;
  #checking: Promise<void> | null = null;
  /** A position in the change stream that the cluster has reached. */
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

  /**
   * Throws 503 without a build to search, if OpenSearch does not respond, and if the changes do not arrive in the
   * cluster in time. Throws PostgreSQL's error if the newest position cannot be read.
   */
  async reach(version: number): Promise<void> {
    while (!this.#has(version)) {
      // The running check began before this query, and may be for an earlier version.
      if (this.#checking !== null) await this.#checking.catch(() => {});
      if (this.#has(version)) return;
      this.#checking ??= this.#check().finally(() => {
        this.#checking = null;
      });
      await this.#checking;
    }
  }

  async #check(): Promise<void> {
    const version = this.#catalogue.current;
    const { position } = await this.#reader.read(newestPlace, { timeoutMs: readTimeoutMs });
    const startedMs = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const { moves } = this.#cluster;
      const state = await this.#state.read();
      // False if another node has responded, to this or to another request.
      const isSameNode = moves === this.#cluster.moves;
      if (state === null) throw unavailable("The catalogue is being built in OpenSearch.");
      if (isSameNode && state.place.position >= position) {
        this.position = state.place.position;
        this.#version = moves === this.#moves ? Math.max(this.#version, version) : version;
        this.#moves = moves;
        return;
      }
      if (performance.now() - startedMs > maxWaitMs) {
        // This node may have lost its connection to the other nodes.
        this.#cluster.move();
        throw unavailable("OpenSearch, which finds beats, does not have the newest changes of the catalogue yet.");
      }
      await sleep(pauseMs);
    }
  }
}
