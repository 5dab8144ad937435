import type { Agent, Dispatcher } from "undici";
import type { Clock } from "../../../clock.ts";
import { onFirstUse } from "../../../first-use.ts";
import { parseEndpointUrl } from "../endpoints/address/endpoint-url.ts";
import { publicLookup, type ResolveName, resolveName } from "../endpoints/address/public-addresses.ts";
import { failureInWords, statusInWords } from "../monitoring/failure-reasons.ts";

/** What came of one attempt to deliver. */
export interface Outcome {
  /** Null when no answer came. */
  status: number | null;
  durationMs: number;
  /** A sentence; null when a 2xx came, with all of its body or the first 20 kB. */
  error: string | null;
  /** Whether the receiver let us wait in vain. */
  timedOut: boolean;
  /** The first 20 kB. */
  answer: string;
  /** How long a receiver that failed wants to be left alone. */
  retryAfterMs: number | null;
}

export interface Delivery {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** Of every delivery, beside those that sign it. */
export const fixedHeaders = { "Content-Type": "application/json", "User-Agent": "BeatMarketplace-Webhooks/1.0" };

/** For the whole of an attempt: name, connection, request and answer. */
const timeoutMs = 15_000;
export const maxAnswerBytes = 20_000;

// Shorter than any receiver waits before it closes an idle connection, so that none is used while it is being closed.
const idleConnectionMs = 1_000;

/**
 * Posts deliveries. Never throws; redirects are failures; without `allowPrivate` nothing is sent, by whatever spelling
 * or name, to an address that is not public (`parseEndpointUrl`, `publicLookup`).
 */
export class Sender {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;
  readonly #agent: () => Promise<Agent>;
  #made: Agent | null = null;

  constructor(options: { allowPrivate: boolean; clock: Clock; resolve?: ResolveName }) {
    this.#allowPrivate = options.allowPrivate;
    this.#clock = options.clock;
    this.#agent = onFirstUse(async () => {
      const { Agent } = await import("undici");
      this.#made = new Agent({
        allowH2: false,
        keepAliveTimeout: idleConnectionMs,
        keepAliveMaxTimeout: idleConnectionMs,
        // One timer of ours is in charge.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          timeout: timeoutMs,
          ...(!options.allowPrivate && { lookup: publicLookup(options.resolve ?? resolveName) }),
        },
      });
      return this.#made;
    });
  }

  async send({ url: text, body, headers }: Delivery): Promise<Outcome> {
    const agent = await this.#agent();
    return new Promise((settle) => {
      const attempt = new Attempt(this.#clock, settle);
      try {
        // Again, because the rules may have changed since the endpoint was made.
        const url = parseEndpointUrl(text, { allowPrivate: this.#allowPrivate });
        agent.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: "POST",
            headers: { ...fixedHeaders, ...headers },
            body,
          },
          attempt,
        );
      } catch (error) {
        attempt.fail(failureInWords(error));
      }
    });
  }

  /** Breaks off what is being sent. */
  async close(): Promise<void> {
    await this.#made?.destroy();
  }
}

/** Follows one request to its outcome, which is settled once; then the request is broken off. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #settle: (outcome: Outcome) => void;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #retryAfterMs: number | null = null;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(clock: Clock, settle: (outcome: Outcome) => void) {
    this.#clock = clock;
    this.#settle = settle;
    this.#startedMs = clock.monotonicMs();
    this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Connected too late. Aborting would lose the connection, and the next delivery on it would hang; throwing keeps it.
    if (this.#isSettled) throw new Error("The delivery was given up.");
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    this.#status = status;
    this.#retryAfterMs = retryAfterMs(headers["retry-after"], this.#clock.nowMs());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, maxAnswerBytes - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#bytes >= maxAnswerBytes) this.#complete();
  }

  onResponseEnd(): void {
    this.#complete();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.#status === null ? failureInWords(error) : `The answer (${this.#status}) broke off.`);
  }

  fail(error: string): void {
    this.#end({ error, timedOut: false });
  }

  #complete(): void {
    const status = this.#status ?? 0;
    this.#end({ error: status >= 200 && status < 300 ? null : statusInWords(status), timedOut: false });
  }

  #timeOut(): void {
    const waitedFor = this.#status === null ? "an answer" : `the end of the answer (${this.#status})`;
    this.#end({
      error: `The receiver did not answer in time: ${waitedFor} did not come within 15 seconds.`,
      timedOut: true,
    });
  }

  #end({ error, timedOut }: { error: string | null; timedOut: boolean }): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#settle({
      status: this.#status,
      durationMs: this.#clock.monotonicMs() - this.#startedMs,
      error,
      timedOut,
      answer: Buffer.concat(this.#chunks).toString("utf8"),
      retryAfterMs: error === null ? null : this.#retryAfterMs,
    });
    this.#controller?.abort(new Error("The outcome of the delivery is known."));
  }
}

/** RFC 9110, 10.2.3: seconds or a date. What is neither counts as absent. */
function retryAfterMs(header: unknown, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
