import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { parseEndpointUrl } from "./address/endpoint-url.ts";
import {
  coalesceLookups,
  privateLookup,
  publicLookup,
  type ResolveName,
  resolveName,
  resolvePrivateName,
} from "./address/public-addresses.ts";
import { clipBytes } from "./delivery/response-budget.ts";
import type { EventRules } from "./event-rules.ts";
import { failureInWords, statusInWords } from "./failure-reasons.ts";

/** The outcome of one attempt. */
export interface Outcome {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** A sentence; null after a 2xx response, even if its body did not arrive. */
  error: string | null;
  timedOut: boolean;
  /** The first 2 kB of a successful response, or the first 20 kB of any other response. */
  responseBody: string;
  /** The Retry-After of a failed attempt. */
  retryAfterMs: number | null;
}

/** The outcome of an attempt that sent nothing. */
export const failedOutcome = (error: string): Outcome => ({
  status: null,
  durationMs: 0,
  error,
  timedOut: false,
  responseBody: "",
  retryAfterMs: null,
});

/** The signed request of one attempt: to a receiver a POST, to a bucket a PUT. */
export interface WebhookRequest {
  method?: "POST" | "PUT";
  url: string;
  body: Buffer;
  headers: Record<string, string>;
}

/** The headers of every delivery, without the signatures. */
export const fixedHeaders = ({ userAgent }: Pick<EventRules, "userAgent">): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": userAgent,
});

/** For a whole attempt: DNS, connection, request and response. */
const timeoutMs = 15_000;
const maxResponseBytes = 20_000;
/** A successful response needs no explanation, so less of it is stored. */
export const maxSuccessBytes = 2_000;

/** The maximum number of interim responses (RFC 9110, 15.2), which a receiver may send before the final response. */
const maxInterimResponses = 100;

// Shorter than the idle time-out of any receiver, so that no request uses a connection that is being closed.
const idleConnectionMs = 1_000;
const closedCodes = ["ECONNRESET", "EPIPE"];
const stopped = "The delivery was aborted because the sender stopped.";

/**
 * Sends deliveries over the network. Redirects count as failures. Unless `allowPrivate` is set, it connects to public
 * addresses only (`parseEndpointUrl`, `publicLookup`).
 */
export class Sender {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;
  readonly #headers: Record<string, string>;
  readonly #agents: { http: HttpAgent; https: HttpsAgent };
  readonly #inFlight = new Set<Attempt>();

  constructor(options: { userAgent: string; allowPrivate: boolean; clock: Clock; resolve?: ResolveName }) {
    this.#allowPrivate = options.allowPrivate;
    this.#clock = options.clock;
    this.#headers = fixedHeaders(options);
    const connections = {
      keepAlive: true,
      timeout: idleConnectionMs,
      lookup: options.allowPrivate
        ? privateLookup(coalesceLookups(options.resolve ?? resolvePrivateName))
        : publicLookup(coalesceLookups(options.resolve ?? resolveName)),
    };
    this.#agents = { http: new HttpAgent(connections), https: new HttpsAgent(connections) };
  }

  /** Never rejects; every failure is an outcome. */
  send({ method = "POST", url: text, body, headers }: WebhookRequest): Promise<Outcome> {
    return new Promise((resolve) => {
      const attempt = new Attempt(this.#clock, (outcome) => {
        this.#inFlight.delete(attempt);
        resolve(outcome);
      });
      this.#inFlight.add(attempt);
      try {
        // Checked again, since the rules may have changed after the endpoint was created.
        const url = parseEndpointUrl(text, { allowPrivate: this.#allowPrivate });
        const options = { method, headers: { ...this.#headers, ...headers } };
        const dispatch = () => {
          const request =
            url.protocol === "https:"
              ? httpsRequest(url, { ...options, agent: this.#agents.https })
              : httpRequest(url, { ...options, agent: this.#agents.http });
          attempt.follow(request, dispatch);
          request.end(body);
        };
        dispatch();
      } catch (error) {
        attempt.fail(failureInWords(error));
      }
    });
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    for (const attempt of this.#inFlight) attempt.fail(stopped);
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}

/**
 * Turns one request into its outcome, reports the outcome once, and then aborts an incomplete request. After the status
 * has arrived, the outcome depends only on the status.
 */
class Attempt {
  readonly #clock: Clock;
  readonly #report: (outcome: Outcome) => void;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  #isReported = false;
  #request: ClientRequest | null = null;
  #isRead = false;
  #interimResponses = 0;
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

  /** `retry` sends the request over another connection. */
  follow(request: ClientRequest, retry: () => void): void {
    this.#request = request;
    request.on("information", () => this.#countInterim());
    request.on("response", (response) => this.#readResponse(response));
    // The request asked for no other protocol, so its connection cannot be used.
    request.on("upgrade", (response) => {
      this.#status = response.statusCode ?? null;
      this.#complete();
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (this.#status !== null) this.#complete();
      // The receiver closed the connection of an earlier delivery just before its reuse.
      else if (!this.#isReported && request.reusedSocket && closedCodes.includes(error.code ?? "")) retry();
      else this.fail(failureInWords(error));
    });
  }

  fail(error: string): void {
    this.#end({ error, timedOut: false });
  }

  #countInterim(): void {
    this.#interimResponses++;
    if (this.#interimResponses > maxInterimResponses)
      this.fail(`The receiver sent more than ${maxInterimResponses} interim responses (1xx) and no final one.`);
  }

  #readResponse(response: IncomingMessage): void {
    this.#status = response.statusCode ?? 0;
    this.#retryAfterMs = retryAfterMs(response.headers["retry-after"], this.#clock.nowMs());
    response.on("data", (chunk: Buffer) => this.#keep(chunk));
    response.on("error", () => this.#complete());
    response.on("end", () => {
      this.#isRead = true;
      this.#complete();
    });
  }

  #keep(chunk: Buffer): void {
    // Copied, so that the whole chunk, which may be much longer, can be freed.
    if (this.#bytes < maxResponseBytes)
      this.#chunks.push(Buffer.from(chunk.subarray(0, maxResponseBytes - this.#bytes)));
    this.#bytes += chunk.length;
    if (this.#bytes >= maxResponseBytes) this.#complete();
  }

  #complete(): void {
    const status = this.#status ?? 0;
    this.#end({ error: status >= 200 && status < 300 ? null : statusInWords(status), timedOut: false });
  }

  #timeOut(): void {
    if (this.#status !== null) this.#complete();
    else
      this.#end({
        error: "The receiver timed out: a response did not arrive within 15 seconds.",
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
    // After a complete request and response, the connection stays open for the next delivery.
    if (!this.#isRead || this.#request?.writableFinished !== true) this.#request?.destroy();
  }
}

/** RFC 9110, 10.2.3: seconds or a date. Null for anything else. */
function retryAfterMs(header: unknown, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
