import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { ApiError } from "../../errors.ts";
import type { Exchange } from "../pipeline/request-context.ts";
import { bucketOf } from "../rate-limit/buckets.ts";
import { rateLimitExceeded, rateLimitHeaders } from "../rate-limit/headers.ts";
import type { RateDecision, RateLimitStore } from "../rate-limit/store.ts";
import { clientAddress, isForwardedHttps } from "../tls/forwarded.ts";
import { httpsRequired } from "../tls/plain-http.ts";
import type { BadKeyThrottle } from "./bad-key-throttle.ts";
import type { Caller, LapsedKey } from "./caller.ts";
import { withinTimeLimit } from "./concurrency-limiter.ts";
import type { Permission } from "./permissions.ts";
import { plans } from "./plans.ts";

/**
 * Finds for which of their keys somebody calls from the portal's explorer, where the key itself is not known; null for
 * a call from elsewhere. Throws when it says to come from there and may not.
 */
export type FindExplorerCaller = (headers: IncomingHttpHeaders) => Promise<Caller | null>;

/** What the gate looks at of a request. */
export interface Knock {
  headers: IncomingHttpHeaders;
  socket: Pick<Socket, "remoteAddress">;
  exchange: Exchange;
}

/** Finds whose key it is; null for a bad key. Synchronous when the answer is at hand. */
export interface FindCaller {
  find(key: string): Caller | null | Promise<Caller | null>;
  /** Whose key it was that `find` just found to be bad; null for one that never opened anything. */
  lapsed(key: string): LapsedKey | null;
}

export interface GateParts {
  callers: FindCaller;
  findExplorerCaller: FindExplorerCaller;
  rateLimits: RateLimitStore;
  badKeys: BadKeyThrottle;
  /** What every answer to an account says as X-Webhook-Notice; null for nothing. */
  noticeFor: (userId: number) => string | null;
  /** True behind a proxy that ends TLS (`TLS=off`). */
  behindProxy: boolean;
}

/**
 * The checks every API call passes before its route looks at it, in the order of DESIGN section 2: HTTPS, key (401),
 * limit (429), permission (403).
 */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /**
   * Throws, or rejects with, the refusal; what the caller is told in any case goes into the exchange's headers. A
   * promise only where there is something to wait for. `permission` is null for paths that do not exist: they are 404
   * to every valid key.
   */
  admit(request: Knock, permission: Permission | null): void | Promise<void> {
    if (this.#parts.behindProxy && !isForwardedHttps(request.headers)) throw httpsRequired();
    const caller = this.#authenticate(request);
    return caller instanceof Promise
      ? withinTimeLimit(caller.then((found) => this.#limit(request.exchange, found, permission)))
      : this.#limit(request.exchange, caller, permission);
  }

  /** The address a request came from, through the proxy if there is one. */
  address(request: Knock): string {
    return clientAddress(request.headers, request.socket.remoteAddress ?? "", this.#parts.behindProxy);
  }

  #limit(exchange: Exchange, caller: Caller, permission: Permission | null): void | Promise<void> {
    exchange.caller = caller;
    const notice = this.#parts.noticeFor(caller.userId);
    if (notice !== null) exchange.headers["x-webhook-notice"] = notice;
    const windows = plans[caller.plan];
    if (windows.length === 0) return permit(caller, permission);
    const decision = this.#parts.rateLimits.admit(bucketOf(caller), windows);
    return decision instanceof Promise
      ? decision.then((made) => decide(exchange, caller, permission, made))
      : decide(exchange, caller, permission, decision);
  }

  #authenticate(request: Knock): Caller | Promise<Caller> {
    const header = request.headers.authorization;
    if (header === undefined) return this.#authenticateExplorer(request);
    const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    const found = key === undefined ? null : this.#parts.callers.find(key);
    if (found instanceof Promise) return found.then((caller) => caller ?? this.#refuse(request, key));
    return found ?? this.#refuse(request, key);
  }

  async #authenticateExplorer(request: Knock): Promise<Caller> {
    const explorer = await this.#parts.findExplorerCaller(request.headers);
    if (explorer !== null) return explorer;
    throw unauthorized("Send your API key in the header Authorization: Bearer <API_KEY>.", "Bearer");
  }

  /** Throws what a bad key is refused with. */
  #refuse(request: Knock, key: string | undefined): never {
    const lapsed = key === undefined ? null : this.#parts.callers.lapsed(key);
    request.exchange.lapsedKey = lapsed;
    const { refused, retryAfterSeconds } = this.#parts.badKeys.recordFailure(this.address(request));
    if (refused)
      throw new ApiError(
        429,
        "rate_limit_exceeded",
        "Too many invalid API keys",
        `Too many requests with invalid API keys came from this address; try again in ${retryAfterSeconds} seconds. Valid keys are not affected.`,
        { headers: { "retry-after": String(retryAfterSeconds) }, refusedBy: "limit:bad-keys" },
      );
    throw unauthorized(
      key === undefined
        ? "The Authorization header must have the form: Bearer <API_KEY>."
        : "The API key is not valid: it may be mistyped, revoked or expired.",
      'Bearer error="invalid_token"',
      lapsed === null ? "key" : `key:${lapsed.reason}`,
    );
  }
}

function decide(exchange: Exchange, caller: Caller, permission: Permission | null, decision: RateDecision): void {
  Object.assign(exchange.headers, rateLimitHeaders(decision));
  if (!decision.admitted) throw rateLimitExceeded(decision);
  permit(caller, permission);
}

function permit(caller: Caller, permission: Permission | null): void {
  if (permission === null || caller.permissions.has(permission)) return;
  throw new ApiError(
    403,
    "forbidden",
    "Permission denied",
    `This API key lacks the permission ${permission}. Use a key that has it, or create one in the developer portal.`,
    { refusedBy: `permission:${permission}` },
  );
}

/** 401, and why. */
export const unauthorized = (details: string, challenge: string, refusedBy = "key"): ApiError =>
  new ApiError(401, "unauthorized", "Invalid API key", details, {
    headers: { "www-authenticate": challenge },
    refusedBy,
  });
