import { eventStreamType } from "@beatmarket/http/negotiation/forms.ts";
import { errorSchema, type Hoist, operationsOf, problemSchema } from "@beatmarket/http/openapi/operations.ts";
import { deprecationInWords, envelope, hoistSchemas, type JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import { ConsoleMeta } from "@beatmarket/http/pagination.ts";
import {
  type ApiRoute,
  type ClientRoute,
  isClientRoute,
  type ResourceRoute,
} from "@beatmarket/http/pipeline/api-route.ts";
import type { TSchema } from "typebox";
import type { Connection, Json, Scalar } from "../../../contract/snippets/call.ts";
import { installLine } from "../../../contract/snippets/install.ts";
import { keyVariable } from "../../../contract/snippets/key-variable.ts";
import { type Language, languageLabels } from "../../../contract/snippets/language.ts";
import { snippetFor } from "../../../contract/snippets/snippets.ts";
import { type ApiVersion, firstVersion, versionDates } from "../access/versions.ts";
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
import { type DocumentedEvent, describedVersion, webhook } from "./webhooks.ts";

export const apiVersion = "1.0.0";

/** Recorded responses for the demo catalogue, which are the examples of the document (contract/examples.json). */
export interface RecordedExamples {
  operations: Record<string, { reference?: unknown; console?: unknown; errors: Record<string, unknown> }>;
  /** Error responses by status, which are the same for every operation. */
  shared: Record<string, unknown>;
  /** Payloads by event type. */
  events: Record<string, unknown>;
}

const tags = [
  { name: "Beats", description: "Beats on sale, single beats and similar beats." },
  { name: "Users", description: "Public profiles, and the producers among them." },
  { name: "Genres", description: "The genres of the catalogue." },
  { name: "Search", description: "Beats and producers in one ranking." },
  { name: "Favorites", description: "Favorites, playlists and followed producers of the key's account." },
  { name: "Changes", description: "Changes of the catalogue, in the order of commits." },
  { name: "Events", description: "The events of webhooks, for programs without a public address." },
  { name: "Exports", description: "All beats in one file." },
  { name: "Checkouts", description: "One payment of one or more licenses, on a page that a person can pay on." },
  { name: "Orders", description: "Buying licenses, and the orders of the key's account." },
  { name: "Licenses", description: "Whether a license allows a use. Everyone who has its certificate may ask." },
  { name: "Sales", description: "The sales of the key's account." },
  { name: "Requests", description: "The account's own request log." },
  { name: "Uploads", description: "Sending files that become beats, by tus 1.0." },
  { name: "Sandboxes", description: "Services of your own whose time you set, and events to test with." },
];

const description = `Programmatic access to a marketplace of music beats. This is a **pre-release demo**.

Every request carries \`Authorization: Bearer <API_KEY>\` and goes over HTTPS. Keys belong on servers, never in client-side code.

**Two forms.** The reference form is the default. \`Accept: application/vnd.beatmarket.console+json\` asks for the console form. Errors have the same form in both; \`application/problem+json\` in \`Accept\` asks for problem details (RFC 9457).

**Limits.** A standard key may make 10 requests a minute, 100 an hour, 1,000 a day, in exact sliding windows. Every response says what is left; 429 says when to come back.

**Strictness.** A parameter or body field that is unknown, repeated, of the wrong type or out of range is refused with 400 and a sentence that names it.`;

/**
 * Builds the OpenAPI 3.1 document of a version from the operation table and the recorded examples of that version.
 * `site` is the name of the service, and `connection` has the address for code samples.
 */
export function openApiDocument(
  routes: readonly ApiRoute[],
  events: readonly DocumentedEvent[],
  examples: RecordedExamples,
  { site, connection }: { site: string; connection: Connection },
  version = firstVersion,
): JsonObject {
  const { paths, schemas } = operationsOf(
    routes,
    (route, hoist) => ({
      ...describe(route, examples, hoist, version),
      ...(isClientRoute(route) && { "x-codeSamples": codeSamples(route, connection) }),
    }),
    (route) => [
      ...(route.protocol !== undefined ? protocolHeaders(route) : []),
      ...(route.idempotent === true ? [idempotencyKey] : []),
      ...(route.protocol === undefined && route.file === undefined && route.conditional === true ? [ifMatch] : []),
      ...(route.protocol === undefined && route.file === undefined && route.eventStream !== undefined
        ? [lastEventId]
        : []),
      beatVersion(version),
    ],
  );
  // Webhooks are references, because some generators would treat inline webhooks as operations.
  const pathItems = Object.fromEntries(
    events.map((event) => [
      event.type,
      webhook(event, examples.events[event.type], (schema) => hoistSchemas(schema, schemas), version),
    ]),
  );
  const webhooks = Object.fromEntries(events.map(({ type }) => [type, { $ref: `#/components/pathItems/${type}` }]));
  const usedTags = tags.filter(({ name }) => routes.some((route) => route.tag === name));
  return {
    openapi: "3.1.0",
    info: {
      title: `${site} API`,
      version: apiVersion,
      summary: "Beats, producers, genres, search and orders of a beat marketplace (pre-release demo).",
      description,
      contact: { name: "Developer portal of this service", url: new URL("/portal", connection.baseUrl).href },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: "/v1", description: "The base address." },
      { url: "/api/v1", description: "The same resources under the other prefix." },
    ],
    security: [{ apiKey: [] }],
    tags: usedTags,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `bm_` and 46 letters and digits." },
      },
      schemas: {
        ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, version.schemaOf(name, schema)])),
        ErrorResponse: errorSchema,
        Problem: problemSchema,
      },
      headers,
      responses: sharedResponses(examples.shared),
      pathItems,
    },
  };
}

function describe(route: ApiRoute, examples: RecordedExamples, hoist: Hoist, version: ApiVersion): JsonObject {
  return {
    description: [
      route.description,
      ...(route.deprecation === undefined ? [] : [deprecationInWords(route.deprecation)]),
      permissionSentence(route),
    ].join("\n\n"),
    ...(route.protocol !== undefined && protocolBody(route)),
    responses: responsesOf(route, examples, hoist, version),
    ...accessOf(route),
    ...(route.client !== undefined && { "x-client-method": route.client }),
  };
}

/** The last paragraph of a description: the permission that a call needs. */
function permissionSentence({ permission, ofTestMode }: ApiRoute): string {
  if (ofTestMode === true) return "Any test key of the account may call it: `bm_test_…`.";
  if (permission === null) return "No API key is needed; with one, the limit of its plan applies.";
  return `Permission: \`${permission}\`.`;
}

function accessOf({ permission, ofTestMode }: ApiRoute): JsonObject {
  if (ofTestMode === true) return { "x-test-mode": true };
  return permission === null ? { security: [{ apiKey: [] }, {}] } : { "x-permission": permission };
}

function responsesOf(route: ApiRoute, examples: RecordedExamples, hoist: Hoist, version: ApiVersion): JsonObject {
  if (route.protocol !== undefined) return protocolResponses(route);
  if (route.file !== undefined) return fileResponses(route, examples.operations[route.operationId]?.errors ?? {});
  return resourceResponses(route, examples, hoist, version);
}

function resourceResponses(
  route: ResourceRoute,
  examples: RecordedExamples,
  hoist: Hoist,
  version: ApiVersion,
): JsonObject {
  const recorded = examples.operations[route.operationId];
  const { response, eventStream } = route;
  const meta = response.meta === true ? ConsoleMeta : response.meta || undefined;
  const content = (data: TSchema, form: "reference" | "console"): JsonObject => ({
    schema: envelope(form, hoist(data), meta === undefined ? null : hoist(meta)),
    ...(recorded !== undefined && { example: recorded[form] }),
  });
  return {
    [response.status]: {
      description: "The request succeeded.",
      headers: successHeadersOf(route),
      content: {
        "application/json": content(response.reference, "reference"),
        "application/vnd.beatmarket.console+json": content(response.console, "console"),
        ...(eventStream !== undefined && {
          [eventStreamType]: {
            schema: { type: "string", description: eventStream.description },
            example: streamIn(version, eventStream.example),
          },
        }),
      },
    },
    ...errorResponses(route, recorded?.errors ?? {}),
  };
}

const beatVersion = (version: ApiVersion): JsonObject => ({
  name: "Beat-Version",
  in: "header",
  required: false,
  description: `The date of the version of the API that answers. Without it: the version of the key, else of the account. ${describedVersion(version)}`,
  schema: { type: "string", enum: [...versionDates] },
});

/** Converts the example of an event stream from the first version to another one. */
const streamIn = ({ date, reshapeEvent = (body) => body }: ApiVersion, example: string): string =>
  date === firstVersion.date
    ? example
    : example.replace(/^(data: )(.*)$/m, (_, name, body) => {
        const { id, created, ...rest } = JSON.parse(body);
        const time = `${new Date(created * 1_000).toISOString().slice(0, -5)}Z`;
        return name + JSON.stringify(reshapeEvent({ id, created_at: time, ...rest }));
      });

const lastEventId: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "For an event stream: the `id` of the last event that the client read, a number. It replaces `after`.",
  schema: { type: "string" },
};

const ifMatch: JsonObject = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the response that you edit. The response is 412 if the resource has changed since.",
  schema: { type: "string", maxLength: 1_000 },
};

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text that identifies this request, such as a UUID. For 24 hours, the same request with the same key gets the same response, with `Idempotent-Replayed: true`, and is not executed again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
};

/**
 * How samples reach a service. `caFile` is the path of the service's own CA certificate on the caller's machine;
 * undefined without one.
 */
export const connectionTo = (publicUrl: string, caFile: string | undefined): Connection => ({
  baseUrl: `${publicUrl}/v1`,
  keyVariable,
  caFile,
});

/** An operation's example call in each language (`x-codeSamples`), with the command that installs the library. */
function codeSamples({ operationId, path, examples }: ClientRoute, connection: Connection): JsonObject[] {
  const { parameters = {}, headers = {}, body } = examples.success;
  const isInPath = (name: string): boolean => path.split("/").includes(`:${name}`);
  const parametersIn = (inPath: boolean): Record<string, Scalar> =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => isInPath(name) === inPath));
  const call = {
    operationId,
    parameters: parametersIn(true),
    query: parametersIn(false),
    body: body as Json | undefined,
    idempotencyKey: headers["idempotency-key"],
  };
  return (Object.keys(languageLabels) as Language[]).map((language) => ({
    lang: language === "curl" ? "shell" : language,
    label: languageLabels[language],
    source: snippetFor(language, call, connection),
    ...(language !== "curl" && { "x-install": installLine(language, connection) }),
  }));
}
