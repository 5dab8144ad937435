import { randomUUID } from "node:crypto";
import type { StreamPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { shapeDigest } from "../cluster/documents.ts";

/** The build that searches use, and the place in the change stream up to which it has the changes. */
export interface FeedState {
  build: string;
  place: StreamPlace;
  /** When the build was finished, in milliseconds since 1970. */
  builtAtMs: number;
  /** The id of the latest request when the build began; null if there was no request. */
  request: string | null;
}

interface StoredDocument<Source> {
  found: boolean;
  _source: Source;
  _seq_no: number;
  _primary_term: number;
}

/** The document's version after this process's last write. */
type DocumentVersion = Pick<StoredDocument<unknown>, "_seq_no" | "_primary_term">;

/** Another process has claimed the state. */
export class LostClaim extends Error {
  override readonly name = "LostClaim";
}

/**
 * Stores the state in a document of the cluster, one for each version of the mappings. A process claims the document
 * before it writes, and can write until another process claims it. So a process that has lost the lock without notice
 * changes nothing.
 */
export class StateStore {
  readonly #cluster: Cluster;
  readonly #index: string;
  readonly #claimant = randomUUID();
  #version: DocumentVersion | null = null;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#index = `${cluster.prefix}-state`;
  }

  /** Returns null without a build. Reads the last write, even before a refresh. */
  async read(): Promise<FeedState | null> {
    return stateOf(await this.#get(stateId));
  }

  /** Claims and returns the state. Earlier claimants can no longer write it. */
  async claim(): Promise<FeedState | null> {
    const stored = await this.#get<Partial<FeedState>>(stateId);
    this.#version = stored;
    const state = stateOf(stored);
    await this.write(state);
    return state;
  }

  /** `state` is null without a build. Throws LostClaim if another process has claimed the state since this one did. */
  async write(state: FeedState | null): Promise<void> {
    const condition =
      this.#version === null
        ? "op_type=create"
        : `if_seq_no=${this.#version._seq_no}&if_primary_term=${this.#version._primary_term}`;
    const source = { ...state, claimant: this.#claimant };
    const written = await this.#put<DocumentVersion | null>(`${stateId}?${condition}`, source, { conflict: null });
    if (written === null) return this.#writeAgain(state);
    this.#version = written;
  }

  /** Writes again if the last write was this process's own and its response was lost; otherwise throws LostClaim. */
  async #writeAgain(state: FeedState | null): Promise<void> {
    const stored = await this.#get<{ claimant?: string }>(stateId);
    const isOwn = stored?._source.claimant === this.#claimant && stored._seq_no !== this.#version?._seq_no;
    if (!isOwn) throw new LostClaim("Another process has begun to feed the catalogue in OpenSearch.");
    this.#version = stored;
    await this.write(state);
  }

  /** The id of the latest request for a new build; null if there was no request. */
  async request(): Promise<string | null> {
    return (await this.#get<{ id: string }>(`request-${shapeDigest}`))?._source.id ?? null;
  }

  async requestBuild(id: string): Promise<void> {
    await this.#put(`request-${shapeDigest}`, { id });
  }

  async #get<Source>(id: string): Promise<StoredDocument<Source> | null> {
    const missing: StoredDocument<Source> | null = null;
    const stored = await this.#cluster.request<StoredDocument<Source> | null>(
      "GET",
      `/${this.#index}/_doc/${id}`,
      undefined,
      {
        missing,
      },
    );
    return stored?.found === true ? stored : null;
  }

  #put<T>(id: string, source: object, options?: { conflict: T }): Promise<T> {
    return this.#cluster.request<T>("PUT", `/${this.#index}/_doc/${id}`, { ...source }, options);
  }
}

const stateId = `state-${shapeDigest}`;

/**
 * Returns null if there is no document, or if the document names no build: a process may claim the state before a
 * build.
 */
function stateOf(stored: StoredDocument<Partial<FeedState>> | null): FeedState | null {
  const { build, place, builtAtMs, request } = stored?._source ?? {};
  if (build === undefined || place === undefined || builtAtMs === undefined) return null;
  return { build, place, builtAtMs, request: request ?? null };
}
