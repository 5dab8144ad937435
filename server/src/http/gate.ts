import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { BadKeyThrottle } from "./bad-key-throttle.ts";
import type { Caller } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import { plans } from "./plans.ts";
import { bucketOf } from "./rate-limit/buckets.ts";
import { rateLimitExceeded, rateLimitHeaders } from "./rate-limit/headers.ts";
import type { RateLimitStore } from "./rate-limit/store.ts";
import { clientAddress, isForwardedHttps } from "./tls/forwarded.ts";
import { httpsRequired } from "./tls/plain-http.ts";

/**
 * Finds for which of their keys somebody calls from the portal's explorer, where the key itself is not known; null for
 * a call from elsewhere. Throws when it says to come from there and may not.
 */
export type FindExplorerCaller = (headers: IncomingHttpHeaders) => Promise<Caller | null>;

/** Finds whose key it is; null for a bad key. Synchronous when the answer is at hand. */
export interface FindCaller {
  find(key: string): Caller | null | Promise<Caller | null>;
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

  /** Throws the refusal. `permission` is null for paths that do not exist: they are 404 to every valid key. */
  async admit(request: FastifyRequest, reply: FastifyReply, permission: Permission | null): Promise<void> {
    if (this.#parts.behindProxy && !isForwardedHttps(request.headers)) throw httpsRequired();
    const caller = await this.#authenticate(request);
    request.exchange.caller = caller;
    const notice = this.#parts.noticeFor(caller.userId);
    if (notice !== null) reply.header("x-webhook-notice", notice);
    const windows = plans[caller.plan];
    if (windows.length > 0) {
      const deciding = this.#parts.rateLimits.admit(bucketOf(caller), windows);
      const decision = deciding instanceof Promise ? await deciding : deciding;
      reply.headers(rateLimitHeaders(decision));
      if (!decision.admitted) throw rateLimitExceeded(decision);
    }
    if (permission !== null && !caller.permissions.has(permission))
      throw new ApiError(
        403,
        "forbidden",
        "Permission denied",
        `This API key lacks the permission ${permission}. Use a key that has it, or create one in the developer portal.`,
        { refusedBy: `permission:${permission}` },
      );
  }

  /** The address a request came from, through the proxy if there is one. */
  address(request: FastifyRequest): string {
    return clientAddress(request.headers, request.socket.remoteAddress ?? "", this.#parts.behindProxy);
  }

  async #authenticate(request: FastifyRequest): Promise<Caller> {
    const header = request.headers.authorization;
    if (header === undefined) {
      const explorer = await this.#parts.findExplorerCaller(request.headers);
      if (explorer !== null) return explorer;
      throw unauthorized("Send your API key in the header Authorization: Bearer <API_KEY>.", "Bearer");
    }
    const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    const found = key === undefined ? null : this.#parts.callers.find(key);
    const caller = found instanceof Promise ? await found : found;
    if (caller !== null) return caller;
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
    );
  }
}

/** 401, and why. */
export const unauthorized = (details: string, challenge: string): ApiError =>
  new ApiError(401, "unauthorized", "Invalid API key", details, {
    headers: { "www-authenticate": challenge },
    refusedBy: "key",
  });
