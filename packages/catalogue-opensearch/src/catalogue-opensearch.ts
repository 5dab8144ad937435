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
  /** Every query catches up, for tests that write past the service and query immediately. */
  catchesUpAlways?: boolean;
  /** How long a start waits for the first build. Absent: two seconds. */
  buildWaitMs?: number;
}

const defaultBuildWaitMs = 2_000;
/** Below the time limit of requests, so that the response says what was slow. */
const maxAnswerMs = 15_000;
/** Each attempt meets another node than the one before it. */
const maxAttempts = 5;
const lookEveryMs = 1_000;
/** A look that takes longer has met a second node that does not respond either. */
const lateLookMs = 6_000;
const firstLooksMs = 50;

/**
 * The catalogue in an OpenSearch cluster that all instances share. One of them feeds it from the change stream. A result
 * is never older than the version of the catalogue that this process knows: a question waits until the cluster has it.
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
  #looking: Promise<void> | null = null;
  /** When the look that runs began; null between two. */
  #lookBeganMs: number | null = null;
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

  /** Begins to feed, if no other process does. Waits up to `buildWaitMs` for a first build, which then goes on. */
  static async open(parts: CatalogueOpenSearchParts): Promise<CatalogueOpenSearch> {
    const opened = new CatalogueOpenSearch(parts);
    opened.#feeder.start();
    await opened.#untilReady(parts.buildWaitMs ?? defaultBuildWaitMs);
    opened.#schedule();
    return opened;
  }

  list = (query: ListQuery): Promise<ListResult> => this.#ask(() => this.#engine.list(query));
  search = (query: SearchQuery): Promise<SearchResult> => this.#ask(() => this.#engine.search(query));
  similar = (query: SimilarQuery): Promise<SimilarHit[]> => this.#ask(() => this.#engine.similar(query));

  /**
   * Whether a server may get requests: it has reached a build once. It stays so while OpenSearch is unreachable: what needs no
   * list or search still works, and no other server could do better.
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
      crashes: 0,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#next);
    this.#reader.close();
    await this.#feeder.close();
    await this.#looking;
    await this.#cluster.close();
  }

  /** Throws ApiError 503 while the cluster is unreachable, behind or being filled, and PostgreSQL's error if that is unreachable. */
  async #ask<Result>(question: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw unavailable("The server is stopping.");
    return withTimeout(this.#answer(this.#catalogue.current, question), maxAnswerMs, tooSlow);
  }

  /** Asks again if another node has answered than the one whose state was read. */
  async #answer<Result>(version: number, question: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      await this.#freshness.reach(version);
      const { moves } = this.#cluster;
      const result = await question();
      if (moves === this.#cluster.moves) return result;
    }
    throw unavailable("OpenSearch, which finds beats, does not respond steadily.");
  }

  async #untilReady(waitMs: number): Promise<void> {
    const endMs = performance.now() + waitMs;
    for (;;) {
      await this.#look();
      const leftMs = endMs - performance.now();
      if (this.#isReady || leftMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(firstLooksMs, leftMs)));
    }
  }

  #schedule(): void {
    this.#next = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        if (!this.#isClosed) this.#schedule();
      });
    }, lookEveryMs);
  }

  #isLate(): boolean {
    return this.#lookBeganMs !== null && performance.now() - this.#lookBeganMs > lateLookMs;
  }

  /** Notes the state of the cluster, for /readyz and /metrics, and keeps the version current without questions. */
  async #look(): Promise<void> {
    this.#lookBeganMs = performance.now();
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
      this.#lookBeganMs = null;
    }
  }
}

const tooSlow = () => unavailable("OpenSearch, which finds beats, took too long.");
