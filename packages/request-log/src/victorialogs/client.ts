import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { Unavailable } from "@beatmarket/foundation/errors.ts";
import { type Row, streamFields } from "./rows.ts";

/** The address of VictoriaLogs, which accepts both inserts and queries. */
export interface EngineAddress {
  /** Without a slash at the end. */
  url: string;
  /** The value of the header Authorization; null without credentials. */
  authorization: string | null;
}

/** The engine is unreachable, or answers with an error. */
export class EngineUnavailable extends Unavailable {
  override readonly name = "EngineUnavailable";

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `VictoriaLogs (REQUEST_LOG_URL) cannot be used at the moment: ${reason}`,
      "The request log is out of reach. Calls are answered and logged all the same.",
      options,
    );
  }
}

const timeoutMs = 10_000;
/** After a request without a response, requests fail at once for this time. */
const failFastMs = 2_000;
const compress = promisify(zstdCompress);

/** Sends requests to VictoriaLogs. */
export class VictoriaLogsClient {
  readonly #address: EngineAddress;
  readonly #clock: Clock;
  #failure: { untilMs: number; error: EngineUnavailable } | null = null;

  constructor(address: EngineAddress, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** Compresses lines of JSON for `insert`. */
  compress(lines: string): Promise<Buffer<ArrayBuffer>> {
    return compress(lines, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }) as Promise<Buffer<ArrayBuffer>>;
  }

  /** Adds rows. The engine may have added them even after an error. */
  async insert(compressed: Buffer<ArrayBuffer>): Promise<void> {
    await this.#post(`/insert/jsonline?_stream_fields=${streamFields}`, compressed, {
      "content-encoding": "zstd",
      "content-type": "application/stream+json",
    });
  }

  /** The rows of a query. With `limit`, at most that many, the newest one first. */
  async query(query: string, limit?: number): Promise<Row[]> {
    const form = new URLSearchParams({ query, timeout: `${timeoutMs / 1000}s` });
    if (limit !== undefined) form.set("limit", String(limit));
    const lines = await this.#post("/select/logsql/query", form);
    return JSON.parse(`[${lines.trimEnd().replaceAll("\n", ",")}]`) as Row[];
  }

  /** Throws if the engine refuses to read calls, or to delete the calls of erased accounts. */
  async check(): Promise<void> {
    await this.query("* | fields _time", 1);
    await this.#post("/delete/active_tasks", new URLSearchParams());
  }

  /**
   * Starts the deletion of the rows that a filter selects, unless there are none or the engine is deleting them. The
   * engine continues the deletion after a restart.
   */
  async deleteAll(filter: string): Promise<void> {
    const [row] = await this.query(`${filter} | fields _time`, 1);
    if (row === undefined) return;
    const tasks = JSON.parse(await this.#post("/delete/active_tasks", new URLSearchParams())) as { filter: string }[];
    if (tasks.some((task) => task.filter === filter)) return;
    await this.#post("/delete/run_task", new URLSearchParams({ filter }));
  }

  async #post(
    path: string,
    body: URLSearchParams | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<string> {
    if (this.#failure !== null && this.#clock.monotonicMs() < this.#failure.untilMs) throw this.#failure.error;
    try {
      const answer = await this.#send(path, body, headers);
      this.#failure = null;
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof TypeError) && !(thrown instanceof DOMException)) throw thrown;
      const { message } = (thrown.cause ?? thrown) as Error;
      const error = new EngineUnavailable(message === "" ? "no connection" : message, { cause: thrown });
      this.#failure = { untilMs: this.#clock.monotonicMs() + failFastMs, error };
      throw error;
    }
  }

  async #send(
    path: string,
    body: URLSearchParams | Buffer<ArrayBuffer>,
    headers: Record<string, string>,
  ): Promise<string> {
    const { url, authorization } = this.#address;
    const requestHeaders = new Headers(headers);
    if (authorization !== null) requestHeaders.set("authorization", authorization);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { method: "POST", headers: requestHeaders, body, signal, redirect: "error" } as const;
    const response = await fetch(url + path, request);
    const text = await response.text();
    if (response.ok) return text;
    // The engine answers 400 to a query that it cannot parse, which is an error in this program.
    const reason = `it answered ${response.status}: ${text.slice(0, 300).trim()}`;
    throw response.status === 400 ? new Error(`VictoriaLogs: ${reason}`) : new EngineUnavailable(reason);
  }
}
