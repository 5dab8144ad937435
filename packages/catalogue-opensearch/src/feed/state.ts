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
}

/** A document beside the beats that says what they are as of. Each shape of the documents has its own. */
export class StateStore {
  readonly #cluster: Cluster;
  readonly #index: string;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#index = `${cluster.prefix}-state`;
  }

  /** Null: there is no build. Reads what was written last, also before a refresh. */
  read(): Promise<FeedState | null> {
    return this.#get<FeedState>(`state-${shapeDigest}`);
  }

  write(state: FeedState): Promise<void> {
    return this.#put(`state-${shapeDigest}`, state);
  }

  async remove(): Promise<void> {
    await this.#cluster.request("DELETE", `/${this.#index}/_doc/state-${shapeDigest}`, undefined, { missing: null });
  }

  /** The latest request of a new build; null: there was none. */
  async request(): Promise<string | null> {
    return (await this.#get<{ id: string }>(`request-${shapeDigest}`))?.id ?? null;
  }

  requestBuild(id: string): Promise<void> {
    return this.#put(`request-${shapeDigest}`, { id });
  }

  async #get<Source>(id: string): Promise<Source | null> {
    const missing: Stored<Source> | null = null;
    const stored = await this.#cluster.request<Stored<Source> | null>("GET", `/${this.#index}/_doc/${id}`, undefined, {
      missing,
    });
    return stored?.found === true ? stored._source : null;
  }

  async #put(id: string, source: object): Promise<void> {
    await this.#cluster.request("PUT", `/${this.#index}/_doc/${id}`, { ...source });
  }
}
