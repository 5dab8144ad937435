import Type from "typebox";
import type { Clock } from "../../clock.ts";
import type { CatalogueReads } from "../../database/catalogue/catalogue-reads.ts";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import type { ReadServer } from "../../database/connection/connect.ts";
import { type AnswerCache, PlainAnswer } from "../cache/response-cache.ts";
import { readParameters } from "../input/parameters.ts";
import type { Form } from "../negotiation/forms.ts";
import type { Exchange } from "./request-context.ts";
import type { Call, PresenterContext, Route } from "./route.ts";

export interface ReadParts {
  /** Where everything runs but reads of the catalogue. */
  primary: ReadServer;
  clock: Clock;
  catalogue: CatalogueVersion;
  reads: CatalogueReads;
  cache: AnswerCache;
  /** The origin absolute URLs are built on, without a trailing slash. */
  publicUrl: string;
}

/** A request whose route is known and whose caller was admitted. */
export interface RoutedRequest {
  /** As the router reads it. */
  url: string;
  exchange: Exchange;
  /** Path parameters by name, as sent. */
  params: object;
}

/** Answers a GET: 400 for parameters that are wrong, and whatever its handler throws. Kept where the route says so. */
export async function readAnswer(
  route: Route,
  parts: ReadParts,
  request: RoutedRequest,
  form: Form,
): Promise<PlainAnswer> {
  const version = parts.catalogue.current;
  const call = callOf(route, parts, request);
  const value = await (route.cached === true
    ? parts.reads.run((server) => route.handle({ ...call, db: server.query, server }))
    : route.handle(call));
  const answer = new PlainAnswer(presented(route, form, value, contextOf(parts, request.url)));
  if (route.cached === true) parts.cache.keep(form, request.url, version, { answer, route });
  return answer;
}

/** What a handler gets, but for a body. */
export function callOf(
  route: Route,
  { primary, clock }: Pick<ReadParts, "primary" | "clock">,
  { url, exchange, params }: RoutedRequest,
): Call<Record<string, unknown>, Record<string, unknown>, Record<string, unknown>> {
  const { caller, requestId } = exchange;
  if (caller === null) throw new Error("A route ran before the gate admitted its caller.");
  return {
    db: primary.query,
    server: primary,
    clock,
    caller,
    requestId,
    params: route.params === undefined ? {} : readParameters(route.params, Object.entries(params)),
    query: readParameters(route.query ?? noParameters, new URLSearchParams(splitUrl(url).query)),
    body: {},
    idempotencyRun: null,
  };
}

const noParameters = Type.Object({});

export const contextOf = ({ publicUrl }: Pick<ReadParts, "publicUrl">, url: string): PresenterContext => ({
  publicUrl,
  ...splitUrl(url),
});

/** The body of an answer (contract 4.1). */
export const presented = (route: Route, form: Form, value: unknown, context: PresenterContext): string =>
  JSON.stringify(
    form === "reference"
      ? { status: "success", data: route.present.reference(value, context) }
      : { success: true, ...route.present.console(value, context) },
  );

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
