import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { ApiError, notFound } from "../../errors.ts";
import type { Gate } from "../admission/gate.ts";
import type { Permission } from "../admission/permissions.ts";
import type { Answer } from "../cache/response-cache.ts";
import type { IdempotencyKeys, RepeatableAnswer } from "../idempotency.ts";
import { type RawBody, readBody } from "../input/body.ts";
import { chooseEncoding } from "../negotiation/encodings.ts";
import { chooseForm, contentTypes, type Form } from "../negotiation/forms.ts";
import { answerHeaders, describeAnswer } from "./answer-headers.ts";
import { callOf, contextOf, presented, type ReadParts, type RoutedRequest, readAnswer } from "./read-answer.ts";
import type { RecordCall } from "./request-context.ts";
import { type PresenterContext, prefixes, type Route } from "./route.ts";

export interface ApiParts extends ReadParts {
  routes: readonly Route[];
  gate: Gate;
  idempotencyKeys: IdempotencyKeys;
  record: RecordCall;
}

interface ApiRouteConfig {
  operation?: string;
  permission?: Permission;
  /** Set on the methods a known path does not have: those it has. */
  allow?: string;
}

declare module "fastify" {
  interface FastifyContextConfig extends ApiRouteConfig {}
}

/** Serves the operation table under both prefixes. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  for (const prefix of prefixes) app.register(async (scope) => mountPrefix(scope, parts), { prefix });
}

function mountPrefix(scope: FastifyInstance, parts: ApiParts): void {
  scope.addHook("onRequest", (request, _reply, done) => {
    const { exchange, routeOptions } = request;
    const { operation, permission, allow } = routeOptions.config;
    exchange.operation = operation ?? null;
    answerHeaders(exchange.headers);
    const goOn = () => done(allow === undefined ? undefined : methodNotAllowed(request, allow));
    if (exchange.admission === "admitted") return goOn();
    try {
      if (exchange.admission !== null) throw exchange.admission.refusal;
      const admitting = parts.gate.admit(request, permission ?? null);
      if (admitting === undefined) goOn();
      else admitting.then(goOn, done);
    } catch (error) {
      done(error as Error);
    }
  });
  scope.addHook("onResponse", (request, reply, done) => {
    parts.record(request, reply.statusCode);
    done();
  });
  scope.setNotFoundHandler((request) => {
    throw notFound(`There is nothing at ${request.url.split("?")[0]}. The endpoints are listed at /openapi.json.`);
  });

  // Bodies are read against the route's schema (body.ts), after the path is known to be one of ours.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  for (const [path, routes] of Map.groupBy(parts.routes, (route) => route.path)) {
    for (const route of routes)
      scope.route({
        method: route.method,
        url: path,
        config: { operation: route.operationId, permission: route.permission },
        handler: handlerOf(route, parts, scope.prefix),
      });
    const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    scope.route({
      method: otherMethods(scope, methods),
      url: path,
      config: { allow: methods.join(", ") },
      handler: neverReached,
    });
  }
}

function handlerOf(route: Route, parts: ApiParts, prefix: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = chooseForm(request.headers.accept);
    if (route.method !== "GET") {
      const call = {
        ...callOf(route, parts, request as RoutedRequest),
        body: route.body === undefined ? {} : readBody(route.body, rawBody(request)),
      };
      const context = contextOf(parts, request.url);
      const { answer, replayed } = await write(route, parts, call, context, request.headers["idempotency-key"]);
      if (replayed) reply.header("idempotent-replayed", "true");
      if (answer.location !== null) reply.header("location", `${parts.publicUrl}${prefix}${answer.location}`);
      return reply.code(route.response.status).header("content-type", contentTypes[form]).send(answer[form]);
    }
    const answer = await readAnswer(route, parts, request as RoutedRequest, form);
    const encoding = chooseEncoding(request.headers["accept-encoding"], answer.body.length);
    const sent = encoding === null ? answer : await answer.encoded(encoding);
    return sendAnswer(request, reply.code(route.response.status), form, sent);
  };
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, form: Form, answer: Answer): FastifyReply {
  const status = describeAnswer(request.headers, request.exchange.headers, form, answer);
  return status === 304 ? reply.code(304).send() : reply.type(contentTypes[form]).send(answer.body);
}

/** Performs a request that changes something: once for each Idempotency-Key, where the route honours them. */
async function write(
  route: Route,
  { catalogue, idempotencyKeys }: ApiParts,
  call: Parameters<Route["handle"]>[0],
  context: PresenterContext,
  key: string | string[] | undefined,
): Promise<{ answer: RepeatableAnswer; replayed: boolean }> {
  const perform = async (idempotencyRun: string | null): Promise<RepeatableAnswer> => {
    const value = await route.handle({ ...call, idempotencyRun });
    // Whatever was written is visible at once to whoever asks this instance next.
    if (route.changesCatalogue?.(value) ?? true) catalogue.bumpNames();
    return {
      reference: presented(route, "reference", value, context),
      console: presented(route, "console", value, context),
      location: route.location?.(value) ?? null,
    };
  };
  if (route.idempotent !== true || key === undefined) return { answer: await perform(null), replayed: false };
  const { params, body, caller } = call;
  return idempotencyKeys.once(
    { userId: caller.userId, key: String(key), operation: route.operationId, input: { params, body } },
    perform,
  );
}

const rawBody = (request: FastifyRequest): RawBody => ({
  contentType: request.headers["content-type"],
  bytes: request.body as Buffer | undefined,
});

const otherMethods = ({ supportedMethods }: FastifyInstance, methods: string[]): HTTPMethods[] =>
  supportedMethods.filter((method) => !methods.includes(method));

const methodNotAllowed = (request: FastifyRequest, allow: string): ApiError =>
  new ApiError(405, "invalid_request", "Method not allowed", `${request.method} is not possible here; use ${allow}.`, {
    headers: { allow },
  });

function neverReached(): never {
  throw new Error("The onRequest hook refuses this method.");
}
