import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { activeTracer } from "@beatmarket/foundation/tracing/tracing.ts";
import type { Logger } from "pino";
import type { TObject } from "typebox";
import type { AccessWatch } from "../admission/access-watch.ts";
import type { AnonymousPacing } from "../admission/anonymous-pacing.ts";
import type { ConcurrencyLimiter } from "../admission/concurrency-limiter.ts";
import type { Access, ReadServer } from "../application.ts";
import type { ContentVersion, ResponseCache } from "../cache/response-cache.ts";
import { type ErrorResponseParts, errorResponse } from "../error-response.ts";
import type { Content } from "../http-response.ts";
import { readBody, requireNoCoding } from "../input/body.ts";
import { readQueryString } from "../input/query-string.ts";
import { readParameters, readPathParameters } from "../input/validate.ts";
import { chooseForm, prefersEventStream } from "../negotiation/forms.ts";
import { negotiate } from "../negotiation/negotiate.ts";
import { Representation } from "../negotiation/representation.ts";
import { type RecordRequest, RequestContext, type RequestContextOptions } from "../request-context.ts";
import { readStart } from "../transport/body-start.ts";
import { streamBody } from "../transport/body-stream.ts";
import type { ConnectionLimits } from "../transport/connection-limits.ts";
import { defaultBodyLimits, readBytes } from "../transport/request-bytes.ts";
import { checkHead } from "../transport/request-head.ts";
import { originForm } from "../transport/request-target.ts";
import type { ResponseWriter } from "../transport/response-writer.ts";
import { type Deprecations, deprecationHeaders } from "./deprecation.ts";
import type { ErrorPage } from "./error-page.ts";
import { FailureLog } from "./failure-log.ts";
import type { InnerRequest } from "./inner-request.ts";
import { inRequestSpan } from "./request-span.ts";
import type { HandlerCall, RenderedForms, Replay, Route } from "./route.ts";
import type { Router } from "./router.ts";
import { versionHeader, type WireVersion, type WireVersions } from "./wire-version.ts";

/**
 * The checks before the handler. A check throws its refusal or rejects with it, and returns a promise only if it waits.
 */
export interface Admission {
  /**
   * Requires HTTPS (400), then the API key or session that `access` requires (401, or 403 for a foreign page). Sets the
   * caller or the account in the context.
   */
  authenticate(context: RequestContext, access: Access): void | Promise<void>;
  /** Throws 429 for a request beyond the rate limit. */
  limit(context: RequestContext, access: Access): void | Promise<void>;
  /** Throws 403 for a caller without the permission. */
  authorize(context: RequestContext, access: Access): void;
}

/** Runs reads of shared content on a database server that has the newest version. */
export interface ContentReads {
  run<T>(read: (server: ReadServer) => Promise<T>): Promise<T>;
}

/** Executes a request once for each Idempotency-Key of an account. */
export interface IdempotencyKeys {
  once(
    request: {
      userId: number;
      key: string;
      operation: string;
      input: { params: object; body: object; ifMatch?: string | undefined };
    },
    execute: (run: string) => Promise<RenderedForms>,
  ): Promise<{ rendered: RenderedForms; replayed: boolean }>;
}

export interface PipelineParts {
  context: RequestContextOptions;
  router: Router;
  admission: Admission;
  accessWatch: AccessWatch;
  anonymousPacing: AnonymousPacing;
  concurrency: ConcurrencyLimiter;
  cache: ResponseCache;
  writer: ResponseWriter;
  errorPage: ErrorPage;
  connections: Pick<ConnectionLimits, "vouchFor">;
  /** Records finished API requests. */
  record: RecordRequest;
  /** The primary: for everything except reads of shared content. */
  primary: ReadServer;
  reads: ContentReads;
  version: ContentVersion;
  /** The dated versions of the API. */
  versions: WireVersions;
  /** The path of the documentation, for the Link header of a deprecation. */
  documentation: string;
  /** The path of the page about errors, with a section for each status. */
  errorDocumentation: string;
  idempotencyKeys: IdempotencyKeys;
  clock: Clock;
  logger: Logger;
}

/** Adds the headers about the deprecated parts that the call uses: the operation, parameters, and body fields. */
const announceDeprecation = (
  deprecations: Deprecations,
  context: RequestContext,
  fields: string[],
  documentation: string,
): void => {
  const parameters = [...new URLSearchParams(context.query).keys()];
  Object.assign(
    context.headers,
    deprecationHeaders(deprecations, { parameters, fields }, context.publicUrl + documentation),
  );
};

/** Whether the response may come from the cache, or be cached. */
const isCached = (route: Route, { caller }: RequestContext): boolean =>
  route.cached === true && !(caller !== null && route.isPersonalFor?.(caller) === true);

/** Whether dated versions apply: to the operations of the API, not to paths that do not exist. */
const isVersioned = ({ operationId, access }: Route): boolean => operationId !== null && access.by === "key";

/** The cache's key besides the URL: the form, and the version if this version gives the response an older shape. */
const variantOf = ({ operationId }: Route, { form, version }: RequestContext): string =>
  version?.reshapeOf(operationId ?? "") === undefined ? form : `${form} ${version.date} `;

/** Sets the version of the response, and the header that reports it. */
function useVersion(version: WireVersion, context: RequestContext): void {
  context.version = version;
  context.headers[versionHeader] = version.date;
}

/** Whether a call of an account was refused before its body was read. False for uploads. */
const isRefusedBeforeBody = ({ error, body, isRead, caller, formerKey, route }: RequestContext): boolean =>
  error !== null && body === undefined && !isRead && (caller ?? formerKey) !== null && route?.streamsBody !== true;

/** Stores the beginning of a refused body in the context, for the request log. The rest is discarded. */
async function storeBodyStart(context: RequestContext, request: IncomingMessage): Promise<void> {
  const { "content-length": length, "transfer-encoding": coding } = context.requestHeaders;
  if (coding === undefined && (length === undefined || length === "0")) return;
  const { durationMs } = context;
  context.body = await readStart(request);
  context.waitedMs += context.durationMs - durationMs;
}

/** The names of a body's fields, without fields that equal their default: the caller may not have sent these. */
const sentFields = (schema: TObject | undefined, body: object): string[] =>
  Object.entries(body)
    .filter(([name, value]) => value !== (schema?.properties[name] as { default?: unknown } | undefined)?.default)
    .map(([name]) => name);

/** Processes every request of the server. */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #errorParts: ErrorResponseParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    const { errorPage, errorDocumentation, logger } = parts;
    this.#errorParts = { failures: new FailureLog(logger), errorPage, errorDocumentation };
  }

  /** Responds to a request. Never rejects. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const context = new RequestContext(request, this.#parts.context);
    const tracer = activeTracer();
    if (tracer === null) return this.#process(context, request, response);
    return inRequestSpan(tracer, context, () => this.#process(context, request, response));
  };

  async #process(context: RequestContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { router, admission, anonymousPacing, connections, cache, versions, writer, record } = this.#parts;
    try {
      checkHead(request); //                                     400, 417
      context.url = originForm(request); //                      400
      const route = router.match(context);
      await admission.authenticate(context, route.access); //    400 without HTTPS, 401, 403 for a foreign page
      if (!context.isAnonymous) connections.vouchFor(request.socket);
      await admission.limit(context, route.access); //           429
      admission.authorize(context, route.access); //             403
      if (route.deprecations !== undefined)
        announceDeprecation(route.deprecations, context, [], this.#parts.documentation);
      if (isVersioned(route)) useVersion(versions.choose(context), context); // 400
      context.isStream = route.stream !== undefined && prefersEventStream(request.headers.accept);
      if (route.hasForms === true && !context.isStream) context.form = chooseForm(request.headers.accept); // 406
      const cached = isCached(route, context) ? cache.find(variantOf(route, context), context.url) : null;
      // 404, 405, 413, 415, 400, 409, 503
      const content = cached ?? (await this.#run(route, context, request, response));
      const negotiated = content instanceof Representation ? await negotiate(context, content) : content; // 304
      if (context.isAnonymous) await anonymousPacing.pace(context.clientAddress);
      writer.send(context, response, negotiated);
    } catch (error) {
      if (context.isAnonymous) await anonymousPacing.pace(context.clientAddress);
      writer.send(context, response, await errorResponse(context, error, this.#errorParts));
    }
    const access = context.route?.access;
    if (access?.by !== "key") return;
    // The request log has the calls of accounts. A call without its optional key belongs to no account.
    if (access.isOptional === true && request.headers.authorization === undefined && context.caller === null) return;
    if (isRefusedBeforeBody(context)) await storeBodyStart(context, request);
    record(context);
  }

  async #run(
    route: Route,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Content> {
    if (route.isVital === true) return this.#respond(route, context);
    if (!context.isRead) requireNoCoding(request.headers["content-encoding"]); // 415
    if (route.streamsBody === true || route.waits === true) return this.#runLong(route, context, request, response);
    if (context.isRead)
      return this.#parts.concurrency.run("read", () => this.#respond(route, context), context.receivedMs);
    // Reads the body before it takes a permit: slow bodies must not block other requests.
    const awaitedMs = performance.now();
    context.body = await readBytes(request, response, { ...defaultBodyLimits, ...route.bodyLimits });
    context.receivedMs += performance.now() - awaitedMs;
    return this.#parts.concurrency.run("write", () => this.#respond(route, context), context.receivedMs);
  }

  /**
   * Runs a long handler. Aborts it if the client closes the connection, or if the key or session is refused. A refusal
   * becomes the response.
   */
  async #runLong(
    route: Route,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Content> {
    const { accessWatch } = this.#parts;
    const { caller, account } = context;
    const closing = new AbortController();
    let refusal: ApiError | null = null;
    const end = accessWatch.hold({
      names: [
        ...(caller === null ? [] : [`key ${caller.keyId}`, `user ${caller.userId}`]),
        ...(account === null ? [] : [`user ${account.userId}`, `user ${account.personId}`]),
      ],
      expiresAtMs: caller?.expiresAtMs,
      readmit: () => this.#readmit(route, context),
      onRefused: (error) => {
        refusal = error;
        closing.abort(error);
      },
    });
    response.once("close", () => {
      end();
      closing.abort();
    });
    const content = await this.#respond(route, context, {
      closed: closing.signal,
      ...(route.streamsBody === true && { streamBody: () => streamUntil(closing.signal, request, response) }),
    });
    const { body = null, isLive = false } = content instanceof Representation ? {} : content;
    if (refusal !== null) {
      if (body instanceof Readable) body.destroy();
      throw refusal;
    }
    // A live body ends by itself after the abort, so that the client receives the bytes written before.
    if (body instanceof Readable && !isLive) closing.signal.addEventListener("abort", () => body.destroy());
    return content;
  }

  /** Authenticates and authorizes a running request again. */
  async #readmit({ access }: Route, context: RequestContext): Promise<void> {
    const { admission } = this.#parts;
    context.receivedMs = performance.now();
    await admission.authenticate(context, access);
    admission.authorize(context, access);
  }

  /** Responds to a request that a handler sends to its own server. */
  async #inner(outer: RequestContext, inner: InnerRequest): Promise<Content> {
    const { router, admission, cache, concurrency, versions, record } = this.#parts;
    const context = outer.inner(inner);
    const respond = async (): Promise<Content> => {
      const route = router.match(context);
      if (route.access.by === "session" || route.streamsBody === true || route.waits === true)
        throw new Error(`${inner.url} cannot be requested from within.`);
      admission.authorize(context, route.access);
      useVersion(versions.first, context);
      if (route.hasForms === true) context.form = chooseForm(context.requestHeaders.accept);
      const cached = isCached(route, context) ? cache.find(variantOf(route, context), context.url) : null;
      if (cached !== null) return cached;
      if (route.isVital === true) return this.#respond(route, context);
      return concurrency.run(
        context.isRead ? "read" : "write",
        () => this.#respond(route, context),
        context.receivedMs,
      );
    };
    const content = await respond().catch((error) => errorResponse(context, error, this.#errorParts));
    context.status = content instanceof Representation ? 200 : content.status;
    if (context.route?.access.by === "key") record(context);
    return content;
  }

  /** Validates the input, runs the handler, and presents the result; uses the cache and the Idempotency-Key. */
  async #respond(
    route: Route,
    context: RequestContext,
    connection: Partial<Pick<HandlerCall, "closed" | "streamBody">> = {},
  ): Promise<Content> {
    const { primary, clock, reads, version: content, cache, concurrency } = this.#parts;
    const { params, query, body } = route;
    const call: HandlerCall = {
      db: primary.query,
      server: primary,
      clock,
      requestId: context.requestId,
      caller: context.caller,
      account: context.account,
      query: query === undefined ? {} : readParameters(query, readQueryString(context.query)),
      // The query is read before the path, since 400 takes precedence over 404.
      params: params === undefined ? {} : readPathParameters(params, Object.entries(context.params)),
      body: body === undefined ? {} : readBody(body, context.requestHeaders["content-type"], context.body),
      idempotencyRun: null,
      context,
      underPermit: (work) => concurrency.run(context.isRead ? "read" : "write", work),
      closed: neverClosed,
      streamBody: noStream,
      ...connection,
      readmit: () => this.#readmit(route, context),
      request: route.streamsBody === true ? (inner) => this.#inner(context, inner) : noInner,
    };
    if (route.deprecations !== undefined)
      announceDeprecation(route.deprecations, context, sentFields(body, call.body), this.#parts.documentation);
    if (context.isStream && route.stream !== undefined) return route.stream(call);
    if (isCached(route, context)) {
      const version = content.current;
      const value = await reads.run(async (server) => route.handle({ ...call, db: server.query, server }));
      const response = route.respond(value, context);
      if (response instanceof Representation && !response.isPersonal)
        cache.add(variantOf(route, context), context.url, version, response);
      return response;
    }
    const key = context.requestHeaders["idempotency-key"];
    if (route.replay !== undefined && key !== undefined) return this.#once(route, route.replay, call, String(key));
    return route.respond(await this.#handle(route, call), context);
  }

  /** Executes a request once for each Idempotency-Key of the account. */
  async #once(route: Route, { render, respond }: Replay, call: HandlerCall, key: string): Promise<Content> {
    const { context, caller, account, params, body } = call;
    const input = { params, body, ifMatch: context.requestHeaders["if-match"] };
    const { rendered, replayed } = await this.#parts.idempotencyKeys.once(
      { userId: (caller ?? account)?.userId ?? 0, key, operation: route.operationId ?? "", input },
      async (run) => render(await this.#handle(route, { ...call, idempotencyRun: run }), context),
    );
    if (replayed) {
      context.headers["idempotent-replayed"] = "true";
      context.headers[versionHeader] = rendered.version ?? this.#parts.versions.first.date;
    }
    return respond(rendered, context);
  }

  async #handle(route: Route, call: HandlerCall): Promise<unknown> {
    const value = await route.handle(call);
    // Makes the write visible to the next request of this instance.
    if (route.changesContent?.(value) === true) this.#parts.version.bumpAll();
    return value;
  }
}

const neverClosed = new AbortController().signal;

const noStream = (): never => {
  throw new Error("Only a route with streamsBody reads its body while it arrives.");
};

const noInner = (): never => {
  throw new Error("Only a route with streamsBody sends requests to its own server.");
};

/** Streams the body of a request while it arrives. The stream fails if the request is refused before the body ends. */
function streamUntil(refusal: AbortSignal, request: IncomingMessage, response: ServerResponse): Readable {
  const body = streamBody(request, response);
  refusal.addEventListener("abort", () => {
    if (refusal.reason instanceof ApiError) body.destroy(refusal.reason);
  });
  return body;
}
