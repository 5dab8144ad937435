import { subscribe } from "node:diagnostics_channel";
import { Agent, type Dispatcher, request } from "undici";

/**
 * Errors of connections that were not established. Undici passes them to the requests that wait for the connections.
 */
const ofConnecting = new WeakSet<object>();
subscribe("undici:client:connectError", (message) => ofConnecting.add((message as { error: Error }).error));

/** A response with its time; status 0 means no response. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The reason for a missing response: ECONNRESET and the like. */
  failure: string | null;
  /** Whether there was a connection, so that the server may have received the request. */
  isSent: boolean;
  sentMs: number;
  endedMs: number;
}

export interface Address {
  origin: string;
  /** The certificate authority to trust. */
  ca: string;
}

/** A client with a key and keep-alive connections. */
export class Client {
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #key: string;

  constructor({ origin, ca }: Address, key: string, connections = 1) {
    this.#origin = origin;
    this.#key = key;
    this.#agent = new Agent({
      connections,
      pipelining: 1,
      connect: { ca, timeout: 60_000 },
      headersTimeout: 90_000,
      bodyTimeout: 90_000,
    });
  }

  get(path: string): Promise<Reply> {
    return this.send({ method: "GET", path: `/v1${path}` });
  }

  /** GETs a path outside the API. */
  getOutsideApi(path: string): Promise<Reply> {
    return this.send({ method: "GET", path });
  }

  order(body: object, idempotencyKey: string): Promise<Reply> {
    return this.send({
      method: "POST",
      path: "/v1/orders",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
      body: JSON.stringify(body),
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Sends a request. Also resolves if there is no response. */
  async send(
    requestOptions: Pick<Dispatcher.RequestOptions, "method" | "path" | "body"> & { headers?: Record<string, string> },
  ): Promise<Reply> {
    const sentMs = performance.now();
    try {
      const { method, path, body = null, headers = {} } = requestOptions;
      const {
        statusCode,
        headers: answered,
        body: stream,
      } = await request(`${this.#origin}${path}`, {
        dispatcher: this.#agent,
        method,
        body,
        headers: { authorization: `Bearer ${this.#key}`, ...headers },
      });
      const text = await stream.text();
      const endedMs = performance.now();
      return { status: statusCode, headers: answered, body: text, failure: null, isSent: true, sentMs, endedMs };
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const isSent = !ofConnecting.has(error as object);
      return { status: 0, headers: {}, body: "", failure: code ?? message, isSent, sentMs, endedMs: performance.now() };
    }
  }
}

/** Whether the response is the documented 503: Retry-After and the error body (docs/api/errors.md, Error body). */
export function isUnavailable({ status, headers, body }: Reply): boolean {
  return status === 503 && /^\d+$/.test(String(headers["retry-after"])) && body.includes('"code":"server_error"');
}

/** "200 × 17, 503 × 4": the number of replies of each status. */
export const countStatuses = (replies: readonly Reply[]): string =>
  [...Map.groupBy(replies, ({ status, failure }) => failure ?? String(status))]
    .map(([status, value]) => `${status} × ${value.length.toLocaleString("en")}`)
    .join(", ") || "none";
