import { expect, test } from "vitest";
import { apiDocument } from "../harness/documents/promised-responses.ts";
import { type Node, nodesOf } from "../harness/documents/schema-walk.ts";

// The requirements of client generators for contract/openapi.json, beyond the rules of OpenAPI.

interface Document {
  info: Node;
  paths: Record<string, Record<string, Node & { operationId: string; parameters: Node[] }>>;
  components: { schemas: Record<string, Node> };
}

/** The violations in a document, as sentences with a JSON Pointer. */
function violations(document: Document): string[] {
  return [
    ...untypedValues(document),
    ...numbersWithoutWidth(document),
    ...collidingNames(document),
    ...collidingEnums(document),
    ...constantHeaders(document),
    ...closedResponses(document),
    ...looseRequests(document),
    ...(document.info.contact === undefined ? ["#/info has no contact"] : []),
  ];
}

const typeOf = (value: unknown): string => (Number.isInteger(value) ? "integer" : typeof value);

function untypedValues(document: Document): string[] {
  return [...nodesOf(document)].flatMap(([pointer, node]) => {
    const constants = typeof node.const === "object" ? [] : [node.const];
    const values = Array.isArray(node.enum) ? node.enum : constants;
    if (!("enum" in node || "const" in node) || pointer.endsWith("/properties")) return [];
    return values.every((value) => typeOf(value) === node.type) ? [] : [`${pointer} has values of another type`];
  });
}

function numbersWithoutWidth(document: Document): string[] {
  const nodes = new Map(nodesOf(document));
  // A filter accepts an id of any length.
  const isFilter = (pointer: string) => nodes.get(pointer.replace(/\/schema(\/items)?$/, ""))?.in === "query";
  return [...nodes]
    .filter(([, { type, format }]) => (type === "integer" || type === "number") && format === undefined)
    .filter(([pointer, { maximum }]) => !(isFilter(pointer) && maximum === undefined))
    .map(([pointer]) => `${pointer} is a number without a format`);
}

/**
 * Generators derive more names from the name of a schema and of an operation: a constructor in Go, the types of a
 * response.
 */
function collidingNames({ paths, components: { schemas } }: Document): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const takenNames = new Set([
    ...Object.keys(schemas).map((name) => `New${name}`),
    ...operations.flatMap(({ operationId: id }) => {
      const name = id.replace(/^./, (letter) => letter.toUpperCase());
      return [`${name}Response`, `${name}Params`, `${name}Data`, `${name}Error`, `${name}Errors`, `${name}Responses`];
    }),
    // Types that exist in every language.
    ...["Error", "Object", "Array", "Date", "Response", "Request", "Client", "Configuration"],
  ]);
  return Object.keys(schemas)
    .filter((name) => takenNames.has(name))
    .map((name) => `#/components/schemas/${name} has a name that generators give to something else`);
}

/**
 * Generators name the type of a field's values after the schema and the field, so Order.license_type and
 * OrderLicense.type collide.
 */
function collidingEnums({ components: { schemas } }: Document): string[] {
  const first = new Map<string, string>();
  return Object.entries(schemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Node>).flatMap(([field, schema]) => {
      if (!("enum" in schema)) return [];
      const type = name + field.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const pointer = `#/components/schemas/${name}/properties/${field}`;
      const other = first.get(type);
      first.set(type, pointer);
      return other === undefined ? [] : [`${pointer} has values whose type has the same name as those of ${other}`];
    }),
  );
}

/** openapi-python-client omits an operation with a header that has a `const`. */
const constantHeaders = ({ paths }: Document): string[] =>
  [...nodesOf(paths)]
    .filter(([, { in: place, schema }]) => place === "header" && "const" in (schema as Node))
    .map(([pointer]) => `${pointer} is a header with a const; an enum of one value says the same`);

/** Schemas of request bodies, by name. All other schemas are of a response or a webhook. */
const requestSchemas = ({ paths }: Document): Set<string> =>
  new Set(
    [...nodesOf(paths)]
      .filter(([pointer]) => pointer.endsWith("/requestBody/content/application~1json/schema"))
      .map(([, { $ref }]) => String($ref)),
  );

function closedResponses(document: Document): string[] {
  const requests = [...requestSchemas(document)];
  const isOfRequest = (pointer: string) =>
    requests.some((request) => pointer === request || pointer.startsWith(`${request}/`));
  return [...nodesOf(document)]
    .filter(([pointer, node]) => node.additionalProperties === false && !isOfRequest(pointer))
    .map(([pointer]) => `${pointer} is closed, but fields may be added to a response`);
}

function looseRequests(document: Document): string[] {
  const nodes = new Map(nodesOf(document));
  const bodies = [...requestSchemas(document)].flatMap((pointer) => {
    const body = nodes.get(pointer);
    const fields = Object.entries((body?.properties ?? {}) as Record<string, Node>);
    const objects = [...nodes].filter(
      ([name, node]) => (name === pointer || name.startsWith(`${pointer}/`)) && node.type === "object",
    );
    return [
      ...objects
        .filter(([, node]) => node.additionalProperties !== false)
        .map(([name]) => `${name} is open, but an unknown field is refused`),
      ...fields
        .filter(([, field]) => "default" in field)
        .map(([name]) => `${pointer}/properties/${name} has a default, which makes it a required member of types`),
    ];
  });
  const parameters = [...nodes].filter(([, { in: place }]) => place === "query" || place === "header");
  const required = parameters
    .filter(([, { required, schema }]) => required === true && "default" in (schema as Node))
    .map(([pointer]) => `${pointer} is required, although it has a default`);
  return [...bodies, ...required];
}

const document = apiDocument as unknown as Document;

test("contract/openapi.json meets the requirements of client generators", () => {
  expect(violations(document)).toEqual([]);
});

test.each<[string, (planted: Document) => void, RegExp]>([
  [
    "an enum without a type",
    ({ components: { schemas } }) => Object.assign(schemas, { Mood: { enum: ["calm"] } }),
    /Mood has values/,
  ],
  [
    "a const without a type",
    ({ components: { schemas } }) => Object.assign(schemas, { Mood: { const: "calm" } }),
    /Mood has values/,
  ],
  [
    "an enum of two types",
    ({ components: { schemas } }) =>
      Object.assign(schemas, { Mood: { type: "number", format: "double", enum: [0.5, 1] } }),
    /Mood has values/,
  ],
  [
    "a number without a width",
    ({ components: { schemas } }) => Object.assign(schemas, { Mood: { type: "integer" } }),
    /Mood is a number/,
  ],
  [
    "the name of a constructor",
    ({ components: { schemas } }) => Object.assign(schemas, { NewOrder: { type: "object" } }),
    /NewOrder has a name/,
  ],
  [
    "the name of a response",
    ({ components: { schemas } }) => Object.assign(schemas, { ListBeatsResponse: { type: "object" } }),
    /ListBeatsResponse has a name/,
  ],
  [
    "a closed response",
    ({ components: { schemas } }) => Object.assign(schemas.Beat as Node, { additionalProperties: false }),
    /Beat is closed/,
  ],
  [
    "an open request",
    ({ components: { schemas } }) => Object.assign(schemas.OrderRequest as Node, { additionalProperties: true }),
    /OrderRequest is open/,
  ],
  [
    "an open object in a request",
    ({ components: { schemas } }) =>
      Object.assign((schemas.BeatFields as { properties: Record<string, Node> }).properties.license_prices as Node, {
        additionalProperties: true,
      }),
    /license_prices is open/,
  ],
  [
    "values whose type has the same name as those of another schema",
    ({ components: { schemas } }) =>
      Object.assign(schemas, {
        OrderLicense: { type: "object", properties: { type: { type: "string", enum: ["basic"] } } },
      }),
    /OrderLicense\/properties\/type has values whose type has the same name as those of .*\/Order\/properties\/license_type/,
  ],
  [
    "a header with a const",
    ({ paths }) =>
      paths["/uploads"]?.post?.parameters.push({
        in: "header",
        name: "Mood",
        schema: { type: "string", const: "calm" },
      }),
    /is a header with a const/,
  ],
  [
    "a field with a default",
    ({ components: { schemas } }) =>
      Object.assign((schemas.OrderRequest as { properties: Record<string, Node> }).properties.license_type as Node, {
        default: "basic",
      }),
    /license_type has a default/,
  ],
  [
    "a required parameter with a default",
    ({ paths }) => Object.assign(paths["/beats"]?.get?.parameters[0] as Node, { required: true }),
    /parameters\/0 is required/,
  ],
  ["no contact", ({ info }) => Reflect.deleteProperty(info, "contact"), /no contact/],
])("%s is reported", (_name, plant, caught) => {
  const planted = structuredClone(document);
  plant(planted);
  expect(violations(planted)).toEqual([expect.stringMatching(caught)]);
});
