import { ApiError } from "@beatmarket/foundation/errors.ts";
import { Client, type Connection, errors } from "@opensearch-project/opensearch";
import type { EngineAddress } from "../address.ts";

/** A part of a query in OpenSearch's language. */
export type Clause = Record<string, unknown>;

export interface Hit<Source> {
  _id: string;
  _source: Source;
  _score: number | null;
  sort: number[];
}

export interface SearchResponse<Source = unknown> {
  hits: { total: { value: number }; hits: Hit<Source>[] };
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request.
  aggregations?: any;
}

/** Longer than any search takes. A query must not wait longer for a node that does not respond. */
const requestTimeoutMs = 5_000;
/** For requests with many documents, and requests that manage indices. */
const longTimeoutMs = 60_000;

/**
 * Sends requests to the cluster. If the cluster or a part of it fails, throws ApiError 503 and never returns a partial
 * answer. All requests go to one node while it responds, because a node that is disconnected from the others may answer
 * from old copies.
 */
export class Cluster {
  readonly prefix: string;
  readonly #client: Client;
  readonly #nodes: readonly string[];
  /** The index of the node that gets the requests. */
  #selected: number;
  /** The node that responded last. */
  #responded = "";
  #moves = 0;
  #closed: Promise<void> | null = null;

  constructor({ nodes, prefix }: EngineAddress) {
    this.prefix = prefix;
    const maxRetries = Math.max(2, nodes.length - 1);
    const nodeSelector = (connections: Connection[]) => this.#select(connections);
    this.#client = new Client({ nodes: [...nodes], requestTimeout: requestTimeoutMs, maxRetries, nodeSelector });
    this.#nodes = this.#client.connectionPool.connections.map(({ id }) => id);
    // A random node, so that the processes use different nodes.
    this.#selected = Math.floor(Math.random() * this.#nodes.length);
  }

  /**
   * Rises whenever a response comes from another node than the response before it. The state that one node reports does
   * not count for another node.
   */
  get moves(): number {
    return this.#moves;
  }

  /** Sends further requests to another node. */
  move(): void {
    this.#selected = (this.#selected + 1) % this.#nodes.length;
  }

  /** Searches one index. Throws if a shard fails. */
  search<Source>(index: string, body: Clause): Promise<SearchResponse<Source>> {
    return this.request<SearchResponse<Source>>("POST", `/${index}/_search?allow_partial_search_results=false`, body);
  }

  /**
   * Returns the response to one request of OpenSearch's REST API. `missing` is returned for 404, `conflict` for 409.
   */
  async request<T>(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: Clause | string,
    options: { isLong?: boolean; missing?: T; conflict?: T } = {},
  ): Promise<T> {
    const [pathname = "", querystring = ""] = path.split("?");
    const isLines = typeof body === "string";
    try {
      const { body: response, meta } = await this.#client.transport.request(
        { method, path: pathname, querystring, ...(isLines ? { bulkBody: body } : body !== undefined && { body }) },
        options.isLong === true ? { requestTimeout: longTimeoutMs, maxRetries: 0 } : {},
      );
      if (meta.connection.id !== this.#responded) this.#moves++;
      this.#responded = meta.connection.id;
      return response as T;
    } catch (error) {
      if (error instanceof errors.ResponseError && error.statusCode === 404 && "missing" in options)
        return options.missing as T;
      if (error instanceof errors.ResponseError && error.statusCode === 409 && "conflict" in options)
        return options.conflict as T;
      throw isOfCluster(error) ? unavailable("OpenSearch, which finds beats, does not respond.", error) : error;
    }
  }

  /** `connections` are those that the client has not marked as dead, or all of them if it has marked all. */
  #select(connections: Connection[]): Connection {
    for (let step = 0; step < this.#nodes.length; step++) {
      const node = (this.#selected + step) % this.#nodes.length;
      const connection = connections.find(({ id, status }) => id === this.#nodes[node] && status === "alive");
      if (connection === undefined) continue;
      this.#selected = node;
      return connection;
    }
    this.move();
    return connections.find(({ id }) => id === this.#nodes[this.#selected]) ?? (connections[0] as Connection);
  }

  /** May be called repeatedly. A second call of the client's `close` would never settle. */
  close(): Promise<void> {
    this.#closed ??= this.#client.close();
    return this.#closed;
  }
}

/** Whether the cluster, or a part of it, is unreachable, overloaded or lacks an index. If not, the request is wrong. */
function isOfCluster(error: unknown): boolean {
  if (!(error instanceof errors.ResponseError)) return error instanceof errors.OpenSearchClientError;
  const { statusCode = 500 } = error;
  return statusCode >= 500 || statusCode === 404 || statusCode === 408 || statusCode === 429;
}

/** A 503 with a reason. */
export const unavailable = (reason: string, cause?: unknown): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", `${reason} Try again in 5 seconds.`, {
    headers: { "retry-after": "5" },
    refusedBy: "index",
    cause,
  });
