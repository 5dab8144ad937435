import type { IncomingHttpHeaders } from "node:http";
import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { requireAllowedAddress } from "@beatmarket/http/admission/allowed-networks.ts";
import type { BadKeys } from "@beatmarket/http/admission/bad-key-throttle.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnOrigin } from "@beatmarket/http/admission/own-origin.ts";
import { withRequestTimeout } from "@beatmarket/http/admission/request-timeout.ts";
import type { Access, FormerKey } from "@beatmarket/http/application.ts";
import { rateLimitExceeded, rateLimitHeaders } from "@beatmarket/http/rate-limit/headers.ts";
import type { RateLimitStore } from "@beatmarket/http/rate-limit/store.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { httpsRequired } from "@beatmarket/http/tls/plain-http.ts";
import { type Account, accountHeader, accountSuspended, permittedAccount } from "./account.ts";
import { bucketOf, type Caller } from "./caller.ts";
import { plans } from "./plans.ts";
import { requireTestMode } from "./test-mode.ts";

export interface FindCaller {
  /** Returns the caller of a key from a client; null for an invalid key. Synchronous if the key is cached. */
  find(key: string, client: { readonly clientAddress: string }): Caller | null | Promise<Caller | null>;
  /** The former caller of a key that `find` rejected; null for a key that never existed. */
  former(key: string): FormerKey | null;
}

/**
 * Returns the caller of a request from the portal's explorer, which names a key by id; null for other requests. Throws
 * if the session may not use the key.
 */
export type FindExplorerCaller = (headers: IncomingHttpHeaders) => Promise<Caller | null>;

/** Sessions of the portal. */
export interface Sessions {
  /** The account of the session; null if the request has no session, or the session has expired. */
  find(headers: Headers, setCookies: (cookies: readonly string[]) => void): Promise<Account | null>;
  /** Counts a change towards the person's limit. Throws 429 above it. */
  countChange(account: Account): Promise<void>;
}

export interface AdmissionParts {
  callers: FindCaller;
  findExplorerCaller: FindExplorerCaller;
  sessions: Sessions;
  rateLimits: RateLimitStore;
  badKeys: BadKeys;
  concurrency: ConcurrencyLimiter;
  /** Whether this service is the live mode of accounts, the test mode of one account, or a sandbox. */
  mode: "live" | "test" | "sandbox";
  /** The refusal of a request that this service never serves; null for other requests. */
  refusalOf(headers: IncomingHttpHeaders): ApiError | null;
  /** The X-Webhook-Notice header of responses to an account; null if they have no such header. */
  noticeFor: (userId: number) => string | null;
}

/**
 * The checks before a request reaches its route (docs/api/conventions.md, Order of checks): HTTPS, API key or session
 * (401), limit (429), permission (403). Each throws the refusal, or rejects with it. Returns a promise only if it must
 * wait.
 */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Checks HTTPS, then the API key or the session. */
  authenticate(context: RequestContext, access: Access): void | Promise<void> {
    const refusal = this.#parts.refusalOf(context.requestHeaders);
    if (refusal !== null) throw refusal;
    if (access.by === "anyone") return;
    if (!context.isHttps) throw httpsRequired();
    return access.by === "key" ? this.#authenticateKey(context, access) : this.#authenticateSession(context, access);
  }

  /**
   * Counts the request, unless the route counts it itself. A request with a key counts towards the plan's windows. A
   * change in a session counts towards the person's limit.
   */
  limit(context: RequestContext, access: Access): void | Promise<void> {
    const { caller, account } = context;
    if ("hasOwnLimit" in access && access.hasOwnLimit === true) return;
    if (access.by === "session" && access.required && account !== null && !context.isRead)
      return this.#parts.concurrency.run("write", () => this.#parts.sessions.countChange(account), context.receivedMs);
    if (caller === null) return;
    const windows = plans[caller.plan];
    if (windows.length === 0) return;
    const decision = this.#parts.rateLimits.admit(bucketOf(caller), windows);
    const apply = (outcome: Awaited<typeof decision>): void => {
      Object.assign(context.headers, rateLimitHeaders(outcome));
      if (!outcome.admitted) throw rateLimitExceeded(outcome);
      context.admittedMs = outcome.atMs;
    };
    return decision instanceof Promise ? decision.then(apply) : apply(decision);
  }

  /**
   * Checks that the account is not suspended, that the mode of the service fits, and that the key has the permission.
   */
  authorize({ caller }: RequestContext, access: Access): void {
    if (access.by !== "key") return;
    if (caller?.suspensionReason !== undefined) throw accountSuspended(caller.suspensionReason);
    if (access.ofTestMode === true) requireTestMode(this.#parts.mode);
    if (access.permission === null || caller?.permissions.has(access.permission)) return;
    throw new ApiError(
      403,
      "forbidden",
      "Permission denied",
      `This API key lacks the permission ${access.permission}. Use a key that has it, or create one in the developer portal.`,
      { refusedBy: `permission:${access.permission}` },
    );
  }

  #authenticateKey(context: RequestContext, access: Extract<Access, { by: "key" }>): void | Promise<void> {
    const header = context.requestHeaders.authorization;
    if (header === undefined) return this.#authenticateExplorer(context, access);
    const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    const cachedCaller = key === undefined ? null : this.#parts.callers.find(key, context);
    const identify = (caller: Caller | null): void => this.#identify(context, caller ?? this.#refuse(context, key));
    return cachedCaller instanceof Promise
      ? withRequestTimeout(cachedCaller, context.receivedMs).then(identify)
      : identify(cachedCaller);
  }

  async #authenticateExplorer(context: RequestContext, { isOptional }: Extract<Access, { by: "key" }>): Promise<void> {
    const caller = await withRequestTimeout(this.#parts.findExplorerCaller(context.requestHeaders), context.receivedMs);
    if (caller === null && isOptional === true) return;
    if (caller === null)
      throw unauthorized("Send your API key in the header Authorization: Bearer <API_KEY>.", "Bearer");
    this.#identify(context, caller);
  }

  #identify(context: RequestContext, caller: Caller): void {
    context.caller = caller;
    if (caller.allowedNetworks !== undefined && caller.fromExplorer !== true)
      requireAllowedAddress(caller.allowedNetworks, context.clientAddress, "the developer portal, under API keys");
    const notice = this.#parts.noticeFor(caller.userId);
    if (notice !== null) context.headers["x-webhook-notice"] = notice;
  }

  async #authenticateSession(context: RequestContext, access: Extract<Access, { by: "session" }>): Promise<void> {
    if (!context.isRead) requireOwnOrigin(context.requestHeaders, context.publicUrl);
    const { concurrency, sessions } = this.#parts;
    // A separate permit, since the request must not hold one while its body is still arriving.
    const account = await concurrency.run(
      context.isRead ? "read" : "write",
      () => sessions.find(context.webHeaders, (cookies) => context.setCookies(cookies)),
      context.receivedMs,
    );
    context.account = account;
    if (!access.required) return;
    // The same 404 as for a path that does not exist, so that other accounts do not learn that the path exists.
    if (access.ofOperators === true && account?.isOperator !== true)
      throw notFound(`There is nothing at ${quoted(context.path)}.`);
    if (account === null)
      throw new ApiError(401, "unauthorized", "Not signed in", "Sign in to the portal; your session may have ended.", {
        refusedBy: "session",
      });
    const shownId = context.isRead ? undefined : context.requestHeaders[accountHeader];
    context.account = permittedAccount(account, access.permission, shownId as string | undefined);
  }

  /** Throws the refusal of an invalid key. */
  #refuse(context: RequestContext, key: string | undefined): never {
    const former = key === undefined ? null : this.#parts.callers.former(key);
    context.formerKey = former;
    const { refused, retryAfterSeconds } = this.#parts.badKeys.recordFailure(context.clientAddress);
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
      former === null ? "key" : `key:${former.reason}`,
    );
  }
}

/** A 401 with its reason. */
export const unauthorized = (details: string, challenge: string, refusedBy = "key"): ApiError =>
  new ApiError(401, "unauthorized", "Invalid API key", details, {
    headers: { "www-authenticate": challenge },
    refusedBy,
  });
