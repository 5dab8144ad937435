import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RecordedExamples } from "../../src/openapi/document.ts";
import { releasedDocument } from "../../tools/released-document.ts";
import { apiDocument } from "../harness/documents/promised-responses.ts";
import type { Node } from "../harness/documents/schema-walk.ts";
import { type Document, takenAway } from "../harness/documents/taken-away.ts";

// docs/api/versioning.md: every part of the last released document on which a client may rely remains.

const folder = new URL("../../../contract/released/", import.meta.url);
const files = readdirSync(folder);
const file = files.find((name) => name.startsWith("openapi-")) ?? "";
const version = file.slice("openapi-".length);
const released = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Document;
const current = apiDocument as unknown as Document;
const today = new Date().toISOString().slice(0, 10);

test("contract/released/ has one document without descriptions and examples, and the examples of that document", () => {
  expect(files.sort()).toEqual([`examples-${version}`, `openapi-${version}`]);
  expect(releasedDocument(released)).toEqual(released);
});

test("the last released document has examples of all its operations, and of no others", () => {
  const { operations } = JSON.parse(readFileSync(new URL(`examples-${version}`, folder), "utf8")) as RecordedExamples;
  const ids = Object.values(released.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(Object.keys(operations).filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !Object.hasOwn(operations, id))).toEqual([]);
});

test("no part of the last released document is removed or narrowed", () => {
  expect(takenAway(released, current, today)).toEqual([]);
});

const components = (document: Document) =>
  document.components.schemas as Record<string, { properties: Record<string, Node> } & Node>;
const field = (document: Document, schema: string, name: string): Node =>
  components(document)[schema]?.properties[name] as Node;
const operation = (document: Document, path: string, method = "get") =>
  document.paths[path]?.[method] as Document["paths"][string][string];
const parameter = (document: Document, path: string, name: string) =>
  operation(document, path).parameters.find((parameter) => parameter.name === name) as {
    required?: boolean;
    schema: Node;
  } & Node;

type Plant = (document: Document) => unknown;

test.each<[string, Plant, string]>([
  ["a server", ({ servers }) => servers.pop(), "the server /api/v1 is gone"],
  [
    "the way to authenticate",
    (document) => Object.assign(document.components, { securitySchemes: { key: { type: "apiKey" } } }),
    "the API has the way to authenticate",
  ],
  ["a path", ({ paths }) => Reflect.deleteProperty(paths, "/genres"), "GET /genres is gone"],
  ["an operation", ({ paths }) => Reflect.deleteProperty(paths["/orders"] ?? {}, "post"), "POST /orders is gone"],
  [
    "the name of an operation",
    (document) => Object.assign(operation(document, "/beats"), { operationId: "allBeats" }),
    "GET /beats has the operation id allBeats",
  ],
  [
    "a permission",
    (document) => Object.assign(operation(document, "/genres"), { "x-permission": "beats:read" }),
    "GET /genres has the permission",
  ],
  ["a parameter", (document) => operation(document, "/beats").parameters.shift(), "GET /beats page is gone"],
  [
    "the optionality of a parameter",
    (document) => Object.assign(parameter(document, "/beats", "genre"), { required: true }),
    "GET /beats genre is newly required",
  ],
  [
    "a value of a parameter",
    (document) => (parameter(document, "/beats", "sort").schema.enum as string[]).pop(),
    "GET /beats sort lost bpm_desc",
  ],
  [
    "the free choice of a parameter's value",
    (document) => Object.assign(parameter(document, "/search", "q").schema, { enum: ["trap"] }),
    "GET /search q takes only trap now",
  ],
  [
    "values of a parameter above a lower maximum",
    (document) => Object.assign(parameter(document, "/beats", "limit").schema, { maximum: 50 }),
    "GET /beats limit has the maximum 50",
  ],
  [
    "values of a parameter below a higher minimum",
    (document) => Object.assign(parameter(document, "/beats", "genre").schema, { minimum: 1 }),
    "GET /beats genre has the minimum 1",
  ],
  [
    "texts that exceed a lower maximum length",
    (document) => Object.assign(parameter(document, "/search", "q").schema, { maxLength: 100 }),
    "GET /search q has the maxLength 100",
  ],
  [
    "texts that are below a higher minimum length",
    (document) => Object.assign(parameter(document, "/search", "q").schema, { minLength: 2 }),
    "GET /search q has the minLength 2",
  ],
  [
    "texts that do not match a new pattern",
    (document) => Object.assign(field(document, "OrderRequest", "payment_method"), { pattern: "^pm_" }),
    "POST /orders body.payment_method has the pattern",
  ],
  [
    "the type of a parameter",
    (document) => Object.assign(parameter(document, "/beats", "page").schema, { type: "string" }),
    "GET /beats page was integer and is string",
  ],
  [
    "calls of an operation without a body",
    (document) => Object.assign(operation(document, "/genres"), { requestBody: { content: {} } }),
    "GET /genres needs a body now",
  ],
  [
    "the type of a body",
    (document) => Object.assign(operation(document, "/orders", "post"), { requestBody: { content: {} } }),
    "POST /orders body lost application/json",
  ],
  [
    "a body field",
    (document) => Reflect.deleteProperty(components(document).OrderRequest?.properties ?? {}, "license_type"),
    "POST /orders body.license_type is gone",
  ],
  [
    "the optionality of a body field",
    (document) =>
      Object.assign(components(document).OrderRequest as Node, {
        required: ["beat_id", "payment_method", "license_type"],
      }),
    "POST /orders body.license_type is newly required",
  ],
  [
    "null in a body field",
    (document) => Object.assign(field(document, "ProfileFields", "bio"), { anyOf: [{ type: "string" }] }),
    "PUT /users/profile body.bio was",
  ],
  [
    "a response status",
    (document) => Reflect.deleteProperty(operation(document, "/beats/{beat_id}").responses, "404"),
    "GET /beats/{beat_id} 404 is gone",
  ],
  [
    "a response form",
    (document) =>
      Reflect.deleteProperty(
        operation(document, "/genres").responses["200"]?.content ?? {},
        "application/vnd.beatmarket.console+json",
      ),
    "GET /genres 200 lost application/vnd",
  ],
  [
    "a response header",
    (document) => Reflect.deleteProperty(operation(document, "/genres").responses["200"]?.headers ?? {}, "ETag"),
    "GET /genres 200 lost the header ETag",
  ],
  [
    "a response field",
    (document) => Reflect.deleteProperty(components(document).Genre?.properties ?? {}, "slug"),
    "GET /genres 200.data.genres[].slug is gone",
  ],
  [
    "the certainty that a response has a field",
    (document) => (components(document).Genre as unknown as { required: string[] }).required.pop(),
    "GET /genres 200.data.genres[].beats_count may be absent now",
  ],
  [
    "the type of a response field",
    (document) => Object.assign(field(document, "Genre", "id"), { type: "string" }),
    "GET /genres 200.data.genres[].id was integer and is string",
  ],
  [
    "the certainty that a response field is not null",
    (document) => Object.assign(field(document, "Genre", "name"), { type: ["string", "null"] }),
    "GET /genres 200.data.genres[].name was string and is string or null",
  ],
  [
    "the format of a response field",
    (document) => Reflect.deleteProperty(field(document, "Order", "created_at"), "format"),
    "created_at had the format date-time and has none",
  ],
  [
    "a constant of a response",
    (document) => Object.assign(field(document, "ConsoleBeatHit", "type"), { const: "beats" }),
    "lost its alternative beat",
  ],
  ["a value of a response", (document) => (field(document, "Order", "status").enum as string[]).pop(), "status lost"],
  [
    "an alternative of a response",
    (document) => Object.assign(field(document, "ConsoleProducerHit", "type"), { const: "artist" }),
    "lost its alternative producer",
  ],
  [
    "an error code",
    (document) =>
      (
        ((field(document, "ErrorResponse", "error").properties as Record<string, Node>).code as Node).enum as string[]
      ).pop(),
    "the API has the error codes",
  ],
  [
    "the certainty that there is no other error code",
    (document) =>
      (
        ((field(document, "ErrorResponse", "error").properties as Record<string, Node>).code as Node).enum as string[]
      ).push("teapot"),
    "the API has the error codes",
  ],
  [
    "an event type",
    (document) => Reflect.deleteProperty(document.components.pathItems, "user.updated"),
    "the event user.updated is gone",
  ],
  [
    "a field of an event",
    (document) => Reflect.deleteProperty(components(document).Purchase?.properties ?? {}, "amount"),
    "the event beat.purchased.data.amount is gone",
  ],
  [
    "a header of an event",
    (document) => document.components.pathItems["beat.created"]?.post?.parameters.shift(),
    "the event beat.created lost the header X-Webhook-Signature",
  ],
])("the loss of %s is reported", (_name, plant, sentence) => {
  const planted = structuredClone(current);
  plant(planted);
  expect(takenAway(current, planted, today)).toContainEqual(expect.stringContaining(sentence));
});

test.each<[string, Plant]>([
  [
    "an operation",
    ({ paths }) => Object.assign(paths, { "/moods": { get: operation({ paths } as Document, "/genres") } }),
  ],
  [
    "an optional parameter",
    (document) =>
      operation(document, "/beats").parameters.push({ name: "mood", in: "query", schema: { type: "string" } }),
  ],
  [
    "a value of a parameter",
    (document) => (parameter(document, "/beats", "sort").schema.enum as string[]).push("bpm_asc"),
  ],
  [
    "further values of a parameter, separated by commas",
    (document) => {
      const sort = parameter(document, "/producers", "sort");
      Object.assign(sort, { style: "form", explode: false, schema: { type: "array", items: sort.schema } });
    },
  ],
  ["a wider range", (document) => Object.assign(parameter(document, "/beats", "limit").schema, { maximum: 200 })],
  [
    "an optional body field",
    (document) => Object.assign(components(document).OrderRequest?.properties ?? {}, { note: { type: "string" } }),
  ],
  [
    "a response field",
    (document) => Object.assign(components(document).Genre?.properties ?? {}, { mood: { type: "string" } }),
  ],
  ["a value of a response", (document) => (field(document, "Order", "license_type").enum as string[]).push("stems")],
  [
    "an event type",
    (document) =>
      Object.assign(document.components.pathItems, { "beat.deleted": document.components.pathItems["beat.created"] }),
  ],
  [
    "another description",
    (document) => Object.assign(operation(document, "/beats"), { description: "All of them.", summary: "Beats" }),
  ],
])("%s may be added", (_name, plant) => {
  const planted = structuredClone(current);
  plant(planted);
  expect(takenAway(current, planted, today)).toEqual([]);
});

test("a deprecated part may be removed from its sunset on, not before", () => {
  const deprecated = structuredClone(current);
  const mark = { deprecated: true, "x-sunset": "2028-01-15" };
  Object.assign(operation(deprecated, "/genres"), mark);
  Object.assign(parameter(deprecated, "/beats", "genre"), mark);
  Object.assign(field(deprecated, "User", "avatar_url"), mark);
  const withoutOperation = structuredClone(deprecated);
  Reflect.deleteProperty(withoutOperation.paths, "/genres");
  operation(withoutOperation, "/beats").parameters = operation(withoutOperation, "/beats").parameters.filter(
    ({ name }) => name !== "genre",
  );
  Reflect.deleteProperty(components(withoutOperation).User?.properties ?? {}, "avatar_url");
  expect(takenAway(deprecated, withoutOperation, "2028-01-15")).toEqual([]);
  expect(takenAway(deprecated, withoutOperation, "2028-01-14")).toEqual(
    expect.arrayContaining([
      "GET /genres is gone",
      "GET /beats genre is gone",
      "GET /users/{user_id} 200.data.user.avatar_url is gone",
    ]),
  );
});
