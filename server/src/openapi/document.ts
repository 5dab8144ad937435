import { eventStreamType } from "@beatmarket/http/negotiation/forms.ts";
import { errorSchema, type Hoist, operationsOf, problemSchema } from "@beatmarket/http/openapi/operations.ts";
import { deprecationInWords, envelope, hoistSchemas, type JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import { ConsoleMeta } from "@beatmarket/http/pagination.ts";
import { type ApiRoute, isClientRoute, type ResourceRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { TSchema } from "typebox";
import type { Connection } from "../../../contract/snippets/call.ts";
import {
  errorResponses,
  fileResponses,
  headers,
  protocolBody,
  protocolHeaders,
  protocolResponses,
  sharedResponses,
  successHeadersOf,
} from "./responses.ts";
import { codeSamples } from "./samples.ts";
import { type DocumentedEvent, webhook } from "./webhooks.ts";

/** Of the document, and of what else names the API's version. */
export const apiVersion = "1.0.0";

/** Responses recorded from the demo catalogue, the examples of the document (contract/examples.json). */
export interface RecordedExamples {
  operations: Record<string, { reference?: unknown; console?: unknown; errors: Record<string, unknown> }>;
  /** By status; the same for every operation. */
  shared: Record<string, unknown>;
  /** Payloads, by event type. */
  events: Record<string, unknown>;
}

const tags = [
  { name: "Beats", description: "The beats on sale, one beat, and what is like it." },
  { name: "Users", description: "Public profiles, and the producers among them." },
  { name: "Genres", description: "The genres of the catalogue." },
  { name: "Search", description: "Beats and producers in one ranking." },
  { name: "Favorites", description: "Beats, playlists and producers that the key's account keeps." },
  { name: "Changes", description: "What changes in the catalogue, in the order of commits." },
  { name: "Events", description: "What webhooks tell, for those without a public address." },
  { name: "Exports", description: "All beats in one file." },
  { name: "Checkouts", description: "One payment of one or more licenses, on a page that a person can pay on." },
  { name: "Orders", description: "Buying licenses, and the orders of the key's account." },
  { name: "Licenses", description: "What a license allows, for everyone who has its certificate." },
  { name: "Sales", description: "What the key's account sold." },
  { name: "Requests", description: "The account's own request log." },
  { name: "Uploads", description: "Sending files that become beats, by tus 1.0." },
];

const description = `Programmatic access to a marketplace of music beats. This is a **pre-release demo**.

Every request carries \`Authorization: Bearer <API_KEY>\` and goes over HTTPS. Keys belong on servers, never in client-side code.

**Two forms.** The reference form is the default. \`Accept: application/vnd.beatmarket.console+json\` asks for the console form. Errors have one form.

**Limits.** A standard key may make 10 requests a minute, 100 an hour, 1,000 a day, in exact sliding windows. Every response says what is left; 429 says when to come back.

**Strictness.** A parameter or body field that is unknown, repeated, of the wrong type or out of range is refused with 400 and a sentence that names it.`;

/**
 * Builds the OpenAPI 3.1 document from the operation table. `connection` is how its code samples reach the service.
 */
export function openApiDocument(
  routes: readonly ApiRoute[],
  events: readonly DocumentedEvent[],
  examples: RecordedExamples,
  connection: Connection,
): JsonObject {
  const { paths, schemas } = operationsOf(
    routes,
    (route, hoist) => ({
      ...describe(route, examples, hoist),
      ...(isClientRoute(route) && { "x-codeSamples": codeSamples(route, connection) }),
    }),
    (route) => [
      ...(route.protocol !== undefined ? protocolHeaders(route) : []),
      ...(route.idempotent === true ? [idempotencyKey] : []),
      ...(route.protocol === undefined && route.file === undefined && route.conditional === true ? [ifMatch] : []),
      ...(route.protocol === undefined && route.file === undefined && route.eventStream !== undefined
        ? [lastEventId]
        : []),
    ],
  );
  // By reference: generators that write clients of webhooks as if they were operations leave these alone.
  const pathItems = Object.fromEntries(
    events.map((event) => [
      event.type,
      webhook(event, examples.events[event.type], (schema) => hoistSchemas(schema, schemas)),
    ]),
  );
  const webhooks = Object.fromEntries(events.map(({ type }) => [type, { $ref: `#/components/pathItems/${type}` }]));
  const used = tags.filter(({ name }) => routes.some((route) => route.tag === name));
  return {
    openapi: "3.1.0",
    info: {
      title: "Beat Marketplace API",
      version: apiVersion,
      summary: "Beats, producers, genres, search and orders of a beat marketplace (pre-release demo).",
      description,
      contact: { name: "Developer portal of this service", url: new URL("/portal", connection.baseUrl).href },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: "/v1", description: "The base address" },
      { url: "/api/v1", description: "The same resources under the other prefix" },
    ],
    security: [{ apiKey: [] }],
    tags: used,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `bm_` and 46 letters and digits." },
      },
      schemas: { ...schemas, ErrorResponse: errorSchema, Problem: problemSchema },
      headers,
      responses: sharedResponses(examples.shared),
      pathItems,
    },
  };
}

function describe(route: ApiRoute, examples: RecordedExamples, hoist: Hoist): JsonObject {
  return {
    description: [
      route.description,
      ...(route.deprecation === undefined ? [] : [deprecationInWords(route.deprecation)]),
      route.permission === null
        ? "No API key is needed; with one, the limit of its plan applies."
        : `Permission: \`${route.permission}\`.`,
    ].join("\n\n"),
    ...(route.protocol !== undefined && protocolBody(route)),
    responses: responsesOf(route, examples, hoist),
    ...(route.permission === null ? { security: [{ apiKey: [] }, {}] } : { "x-permission": route.permission }),
    ...(route.client !== undefined && { "x-client-method": route.client }),
  };
}

function responsesOf(route: ApiRoute, examples: RecordedExamples, hoist: Hoist): JsonObject {
  if (route.protocol !== undefined) return protocolResponses(route);
  if (route.file !== undefined) return fileResponses(route, examples.operations[route.operationId]?.errors ?? {});
  return resourceResponses(route, examples, hoist);
}

function resourceResponses(route: ResourceRoute, examples: RecordedExamples, hoist: Hoist): JsonObject {
  const recorded = examples.operations[route.operationId];
  const { response, eventStream } = route;
  const meta = response.meta === true ? ConsoleMeta : response.meta || undefined;
  const content = (data: TSchema, form: "reference" | "console"): JsonObject => ({
    schema: envelope(form, hoist(data), meta === undefined ? null : hoist(meta)),
    ...(recorded !== undefined && { example: recorded[form] }),
  });
  return {
    [response.status]: {
      description: "Success.",
      headers: successHeadersOf(route),
      content: {
        "application/json": content(response.reference, "reference"),
        "application/vnd.beatmarket.console+json": content(response.console, "console"),
        ...(eventStream !== undefined && {
          [eventStreamType]: {
            schema: { type: "string", description: eventStream.description },
            example: eventStream.example,
          },
        }),
      },
    },
    ...errorResponses(route, recorded?.errors ?? {}),
  };
}

const lastEventId: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "For an event stream: the `id` of the last event that was read, a number, instead of `after`.",
  schema: { type: "string" },
};

const ifMatch: JsonObject = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the state that the change is made to, as its response had it: 412 if the resource has changed since.",
  schema: { type: "string", maxLength: 1_000 },
};

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Any text of your own, such as a UUID, that names this request. For 24 hours the same request with the same key is answered again, with `Idempotent-Replayed: true`, instead of done again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
};
