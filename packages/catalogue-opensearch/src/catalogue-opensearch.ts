import type { FollowedVersion, IndexState } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type {
  CatalogueQueries,
  ListQuery,
  ListResult,
  SearchQuery,
  SearchResult,
  SimilarHit,
  SimilarQuery,
} from "@beatmarket/catalogue-index/query.ts";
import type { SessionName } from "@beatmarket/catalogue-index/worker/session-name.ts";
import { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { Logger } from "pino";
import type { EngineAddress } from "./address.ts";
import { aliasOf } from "./cluster/aliases.ts";
import { Cluster, unavailable } from "./cluster/cluster.ts";
import { Engine } from "./engine.ts";
import { Feeder } from "./feed/feeder.ts";
import { StateStore } from "./feed/state.ts";
import { UnknownVersion } from "./feed/unknown-version.ts";
import { Freshness } from "./freshness.ts";

export interface CatalogueOpenSearchParts {
  engine: EngineAddress;
  /** The primary. */
  address: DatabaseAddress;
  session: SessionName;
  catalogue: FollowedVersion;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Makes every query wait for the newest changes, for tests that write to the database directly. */
  catchesUpAlways?: boolean;
  /** How long a start waits for the first build. Default: two seconds. */
  buildWaitMs?: number;
}

const defaultBuildWaitMs = 2_000;
/** Less than the time limit of requests, so that the response can name OpenSearch as the cause. */
const maxAnswerMs = 15_000;
/** A query is repeated if another node responded meanwhile. */
const maxAttempts = 5;
const checkEveryMs = 1_000;
/** Longer than a check that gets no response from one node and uses the next one. */
const lateCheckMs = 6_000;
const firstChecksMs = 50;

/**
 * The catalogue in an OpenSearch cluster that all instances share. One instance writes the changes of the change stream
 * to the cluster. A result is never older than the version of the catalogue that this process knows: a query waits
 * until the cluster has that version.
 */
export class CatalogueOpenSearch implements CatalogueQueries {
  readonly #cluster: Cluster;
  readonly #engine: Engine;
  readonly #catalogue: FollowedVersion;
  readonly #reader: SnapshotReader;
  readonly #store: StateStore;
  readonly #freshness: Freshness;
  readonly #feeder: Feeder;
  readonly #log: CatalogueOpenSearchParts["log"];
  #isStarted = false;
  #isReady = false;
  #isReachable = true;
  #beats = 0;
  #behindSinceMs: number | null = null;
  #checking: Promise<void> | null = null;
  /** When the running check began; null between checks. */
  #checkBeganMs: number | null = null;
  #next: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor({ engine, address, session, log, ...parts }: CatalogueOpenSearchParts) {
    const catalogue = parts.catchesUpAlways === true ? new UnknownVersion() : parts.catalogue;
    const cluster = new Cluster(engine);
    this.#cluster = cluster;
    this.#catalogue = catalogue;
    this.#log = log;
    this.#engine = new Engine(cluster, (kind) => aliasOf(cluster, kind));
    this.#reader = new SnapshotReader(address, session);
    this.#store = new StateStore(cluster);
    this.#freshness = new Freshness(catalogue, this.#reader, this.#store, cluster);
    this.#feeder = new Feeder({ address, session, catalogue, cluster, log });
  }

  /**
   * Starts to write to the cluster, if no other process does. Waits up to `buildWaitMs` for the first build, which may
   * take longer.
   */
  static async open(parts: CatalogueOpenSearchParts): Promise<CatalogueOpenSearch> {
    const opened = new CatalogueOpenSearch(parts);
    opened.#feeder.start();
    await opened.#untilReady(parts.buildWaitMs ?? defaultBuildWaitMs);
    opened.#schedule();
    return opened;
  }

  list = (query: ListQuery): Promise<ListResult> => this.#run(() => this.#engine.list(query));
  search = (query: SearchQuery): Promise<SearchResult> => this.#run(() => this.#engine.search(query));
  similar = (query: SimilarQuery): Promise<SimilarHit[]> => this.#run(() => this.#engine.similar(query));

  /**
   * Whether the server may get requests: true since it first had a build to search. Stays true while OpenSearch is
   * unreachable: requests other than lists and searches still work, and another server could not answer more of them.
   */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  get state(): IndexState {
    const version = this.#catalogue.isFollowed ? this.#catalogue.current : 0;
    const behindVersions = Math.max(0, version - this.#freshness.version);
    return {
      isReady: this.#isReady && this.#isReachable && !this.#isLate(),
      beats: this.#beats,
      position: this.#freshness.position,
      bytes: 0,
      builds: this.#feeder.builds,
      catchUpSeconds: this.#feeder.catchUpSeconds,
      behindVersions,
      behindSeconds: this.#behindSinceMs === null ? 0 : (performance.now() - this.#behindSinceMs) / 1_000,
      snapshotAgeSeconds: null,
      failedSnapshotUploads: null,
      crashes: 0,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#next);
    this.#reader.close();
    await this.#feeder.close();
    await this.#checking;
    await this.#cluster.close();
  }

  /**
   * Throws ApiError 503 after `close` and while the cluster is unreachable, late or without a build to search. Throws
   * PostgreSQL's error if PostgreSQL is unreachable.
   */
  async #run<Result>(query: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw unavailable("The server is stopping.");
    return withTimeout(this.#answer(this.#catalogue.current, query), maxAnswerMs, tooSlow);
  }

  /** Repeats the query if the answer came from another node than the node whose state was read. */
  async #answer<Result>(version: number, query: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      await this.#freshness.reach(version);
      const { moves } = this.#cluster;
      const result = await query();
      if (moves === this.#cluster.moves) return result;
    }
    throw unavailable("OpenSearch, which finds beats, does not respond steadily.");
  }

  async #untilReady(waitMs: number): Promise<void> {
    const endMs = performance.now() + waitMs;
    for (;;) {
      await this.#check();
      const leftMs = endMs - performance.now();
      if (this.#isReady || leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(firstChecksMs, leftMs)));
    }
  }

  #schedule(): void {
    this.#next = setTimeout(() => {
      this.#checking = this.#check().finally(() => {
        if (!this.#isClosed) this.#schedule();
      });
    }, checkEveryMs);
  }

  #isLate(): boolean {
    return this.#checkBeganMs !== null && performance.now() - this.#checkBeganMs > lateCheckMs;
  }

  /** Reads the state of the cluster, for /readyz and /metrics, and keeps the version current between queries. */
  async #check(): Promise<void> {
    this.#checkBeganMs = performance.now();
    try {
      this.#isReady = (await this.#store.read()) !== null;
      if (this.#isReady) {
        await this.#freshness.reach(this.#catalogue.current);
        this.#beats = await this.#engine.count();
        this.#isStarted = true;
      }
      if (!this.#isReachable) this.#log.info("OpenSearch responds again");
      this.#isReachable = true;
      this.#behindSinceMs = null;
    } catch (error) {
      if (this.#isClosed) return;
      if (this.#isReachable)
        this.#log.error({ err: error }, "the catalogue in OpenSearch cannot be used; trying again");
      this.#isReachable = false;
      this.#behindSinceMs ??= performance.now();
    } finally {
      this.#checkBeganMs = null;
    }
  }
}

const tooSlow = () => unavailable("OpenSearch, which finds beats, took too long.");
