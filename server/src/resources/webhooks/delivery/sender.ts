import type { Agent, Dispatcher } from "undici";
import type { Clock } from "../../../clock.ts";
import { onFirstUse } from "../../../first-use.ts";
import { parseEndpointUrl } from "../endpoints/address/endpoint-url.ts";
import {
  coalesced,
  privateLookup,
  publicLookup,
  type ResolveName,
  resolveName,
  resolvePrivateName,
} from "../endpoints/address/public-addresses.ts";
import { failureInWords, statusInWords } from "../monitoring/failure-reasons.ts";
import { clipBytes } from "./response-budget.ts";

/** The outcome of one attempt. */
export interface Outcome {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** A sentence; null after a 2xx response, read to its end or to 20 kB. */
  error: string | null;
  timedOut: boolean;
  /** The first 2 kB after a success, else the first 20 kB. */
  responseBody: string;
  /** The Retry-After of a failed attempt. */
  retryAfterMs: number | null;
}

/** The signed POST request of one attempt. */
export interface WebhookRequest {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** The headers of every delivery, apart from the signatures. */
export const fixedHeaders = { "Content-Type": "application/json", "User-Agent": "BeatMarketplace-Webhooks/1.0" };

/** Covers a whole attempt: DNS, connection, request and response. */
const timeoutMs = 15_000;
const maxResponseBytes = 20_000;
/** Kept of a successful response, which explains nothing. */
export const maxSuccessBytes = 2_000;

// Shorter than the idle time-out of any receiver, so that no request meets a connection that is being closed.
const idleConnectionMs = 1_000;

/**
 * Posts deliveries over the network. Redirects count as failures. Unless `allowPrivate` is set, it connects to public
 * addresses only (`parseEndpointUrl`, `publicLookup`).
 */
export class Sender {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;
  readonly #agent: () => Promise<Agent>;
  #openAgent: Agent | null = null;

  constructor(options: { allowPrivate: boolean; clock: Clock; resolve?: ResolveName }) {
    this.#allowPrivate = options.allowPrivate;
    this.#clock = options.clock;
    this.#agent = onFirstUse(async () => {
      const { Agent } = await import("undici");
      this.#openAgent = new Agent({
        allowH2: false,
        keepAliveTimeout: idleConnectionMs,
        keepAliveMaxTimeout: idleConnectionMs,
        // The timer of ResponseHandler covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          timeout: timeoutMs,
          lookup: options.allowPrivate
            ? privateLookup(coalesced(options.resolve ?? resolvePrivateName))
            : publicLookup(coalesced(options.resolve ?? resolveName)),
        },
      });
      return this.#openAgent;
    });
  }

  /** Never rejects; every failure is an outcome. */
  async send({ url: text, body, headers }: WebhookRequest): Promise<Outcome> {
    const agent = await this.#agent();
    return new Promise((resolve) => {
      const handler = new ResponseHandler(this.#clock, resolve);
      try {
        // Checked again: the rules may have changed since the endpoint was created.
        const url = parseEndpointUrl(text, { allowPrivate: this.#allowPrivate });
        agent.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: "POST",
            headers: { ...fixedHeaders, ...headers },
            body,
          },
          handler,
        );
      } catch (error) {
        handler.fail(failureInWords(error));
      }
    });
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    await this.#openAgent?.destroy();
  }
}

/** Turns one request into its outcome, reported once, and then aborts it. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #report: (outcome: Outcome) => void;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  #isReported = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #retryAfterMs: number | null = null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(clock: Clock, report: (outcome: Outcome) => void) {
    this.#clock = clock;
    this.#report = report;
    this.#startedMs = clock.monotonicMs();
    this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Timed out while connecting. Throwing keeps the connection for the next delivery; an abort would make that one hang.
    if (this.#isReported) throw new Error("The delivery timed out.");
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    this.#status = status;
    this.#retryAfterMs = retryAfterMs(headers["retry-after"], this.#clock.nowMs());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy: the rest of the chunk may be much longer, and is freed.
    this.#chunks.push(Buffer.from(chunk.subarray(0, maxResponseBytes - this.#bytes)));
    this.#bytes += chunk.length;
    if (this.#bytes >= maxResponseBytes) this.#complete();
  }

  onResponseEnd(): void {
    this.#complete();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.#status === null ? failureInWords(error) : `The response (${this.#status}) ended early.`);
  }

  fail(error: string): void {
    this.#end({ error, timedOut: false });
  }

  #complete(): void {
    const status = this.#status ?? 0;
    this.#end({ error: status >= 200 && status < 300 ? null : statusInWords(status), timedOut: false });
  }

  #timeOut(): void {
    const missing = this.#status === null ? "a response" : `the end of the response (${this.#status})`;
    this.#end({
      error: `The receiver timed out: ${missing} did not arrive within 15 seconds.`,
      timedOut: true,
    });
  }

  #end({ error, timedOut }: { error: string | null; timedOut: boolean }): void {
    if (this.#isReported) return;
    this.#isReported = true;
    clearTimeout(this.#timer);
    this.#report({
      status: this.#status,
      durationMs: this.#clock.monotonicMs() - this.#startedMs,
      error,
      timedOut,
      responseBody: clipBytes(
        Buffer.concat(this.#chunks).toString("utf8"),
        error === null ? maxSuccessBytes : maxResponseBytes,
      ),
      retryAfterMs: error === null ? null : this.#retryAfterMs,
    });
    this.#controller?.abort(new Error("The outcome of the delivery is known."));
  }
}

/** RFC 9110, 10.2.3: seconds or a date. Null for anything else. */
function retryAfterMs(header: unknown, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
