import { randomUUID } from "node:crypto";
import type { StreamPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { shapeDigest } from "../cluster/documents.ts";

/** What the cluster has: a build, and the place in the change stream that it corresponds to. */
export interface FeedState {
  build: string;
  place: StreamPlace;
  /** When it was finished, in milliseconds since 1970. */
  builtAtMs: number;
  /** The request that it was made for; null: none. */
  request: string | null;
}

interface Stored<Source> {
  found: boolean;
  _source: Source;
  _seq_no: number;
  _primary_term: number;
}

/** The document's version as of this process's last write. */
type Written = Pick<Stored<unknown>, "_seq_no" | "_primary_term">;

/** Another process has claimed the state. */
export class LostClaim extends Error {
  override readonly name = "LostClaim";
}

/**
 * A document beside the beats that says what they are as of. Each shape of the documents has its own. A process claims it
 * before it writes, and can write until another one claims it, so one that lost the lock unnoticed replaces nothing.
 */
export class StateStore {
  readonly #cluster: Cluster;
  readonly #index: string;
  readonly #claimant = randomUUID();
  #written: Written | null = null;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#index = `${cluster.prefix}-state`;
  }

  /** Null: there is no build. Reads what was written last, also before a refresh. */
  async read(): Promise<FeedState | null> {
    return stateOf(await this.#get(stateId));
  }

  /** Returns the state, which no process can write now that claimed it earlier. */
  async claim(): Promise<FeedState | null> {
    const stored = await this.#get<Partial<FeedState>>(stateId);
    this.#written = stored;
    const state = stateOf(stored);
    await this.write(state);
    return state;
  }

  /** Null: there is no build. Throws LostClaim if another process has claimed the state since this one did. */
  async write(state: FeedState | null): Promise<void> {
    const condition =
      this.#written === null
        ? "op_type=create"
        : `if_seq_no=${this.#written._seq_no}&if_primary_term=${this.#written._primary_term}`;
    const source = { ...state, claimant: this.#claimant };
    const written = await this.#put<Written | null>(`${stateId}?${condition}`, source, { conflict: null });
    if (written === null) return this.#writeAgain(state);
    this.#written = written;
  }

  /** An own write whose response was lost is no claim of another process. */
  async #writeAgain(state: FeedState | null): Promise<void> {
    const stored = await this.#get<{ claimant?: string }>(stateId);
    const isOwn = stored?._source.claimant === this.#claimant && stored._seq_no !== this.#written?._seq_no;
    if (!isOwn) throw new LostClaim("Another process has begun to feed the catalogue in OpenSearch.");
    this.#written = stored;
    await this.write(state);
  }

  /** The latest request of a new build; null: there was none. */
  async request(): Promise<string | null> {
    return (await this.#get<{ id: string }>(`request-${shapeDigest}`))?._source.id ?? null;
  }

  async requestBuild(id: string): Promise<void> {
    await this.#put(`request-${shapeDigest}`, { id });
  }

  async #get<Source>(id: string): Promise<Stored<Source> | null> {
    const missing: Stored<Source> | null = null;
    const stored = await this.#cluster.request<Stored<Source> | null>("GET", `/${this.#index}/_doc/${id}`, undefined, {
      missing,
    });
    return stored?.found === true ? stored : null;
  }

  #put<T>(id: string, source: object, options?: { conflict: T }): Promise<T> {
    return this.#cluster.request<T>("PUT", `/${this.#index}/_doc/${id}`, { ...source }, options);
  }
}

const stateId = `state-${shapeDigest}`;

/** A state that was claimed before there was a build has none. */
function stateOf(stored: Stored<Partial<FeedState>> | null): FeedState | null {
  const { build, place, builtAtMs, request } = stored?._source ?? {};
  if (build === undefined || place === undefined || builtAtMs === undefined) return null;
  return { build, place, builtAtMs, request: request ?? null };
}
