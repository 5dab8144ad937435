import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plans } from "../../src/access/plans.ts";
import { permissions } from "../../src/access/roles.ts";
import { readConfig } from "../../src/config.ts";
import { eventTypes } from "../../src/resources/webhooks/event-types.ts";
import { withPermissionTable } from "../../tools/permission-table.ts";
import { codeBlocks, sectionsOf } from "../harness/documents/documents.ts";

// Compares the promises of docs/api with the operation table and the code. A new operation, parameter, field, status,
// permission, event type or setting fails here until the documents contain it.

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Content {
  content?: Record<string, { schema: Schema }>;
  $ref?: string;
}
interface Operation {
  operationId: string;
  /** Absent if the operation needs no key, or if any test key suffices. */
  "x-permission"?: string;
  "x-test-mode"?: true;
  parameters?: { name: string }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(root, path), "utf8");
const openapi = JSON.parse(await read("contract/openapi.json")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, unknown> };
};
const examples = JSON.parse(await read("contract/examples.json")) as {
  operations: Record<string, { reference?: unknown; console?: unknown }>;
  events: Record<string, unknown>;
};
const names = [
  "authentication",
  "beats",
  "changes",
  "conventions",
  "errors",
  "events",
  "exports",
  "favorites",
  "genres",
  "licenses",
  "limits",
  "checkouts",
  "orders",
  "requests",
  "sales",
  "sandboxes",
  "search",
  "uploads",
];
const pages = Object.fromEntries(
  await Promise.all([...names, "users", "versioning"].map(async (name) => [name, await read(`docs/api/${name}.md`)])),
) as Record<string, string>;
const allPages = Object.values(pages).join("\n");
const index = await read("docs/api/README.md");
const section = (page: string, heading: string): string =>
  sectionsOf(pages[page] ?? "").find((candidate) => candidate.heading === heading)?.text ?? "";

/** The section that documents an operation. It begins with the operation's request. */
const sectionFor = (request: string): string =>
  Object.values(pages)
    .flatMap(sectionsOf)
    .find(({ text }) => text.trimStart().startsWith(`\`${request}\` ·`))?.text ?? "";

/** Names of all fields in a schema, including those of nested objects. */
function fieldsOf(schema: Schema, visited = new Set<string>()): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    if (visited.has(name)) return [];
    return fieldsOf(openapi.components.schemas[name] ?? {}, visited.add(name));
  }
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap((part) => fieldsOf(part, visited))];
}

/** The names that a text does not mention in backticks. */
const unmentioned = (requiredNames: readonly string[], text: string): string[] =>
  Array.from(new Set(requiredNames)).filter(
    (name) => !text.includes(`\`${name}\``) && !text.includes(`error.${name}\``),
  );

/** Whether `part` equals `full`, except that lists may be shorter, but not empty instead of filled. */
function isExcerpt(part: unknown, full: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(full))
    return (
      part.length > 0 === full.length > 0 &&
      part.length <= full.length &&
      part.every((item, position) => isExcerpt(item, full[position]))
    );
  if (typeof part !== "object" || part === null || typeof full !== "object" || full === null) return part === full;
  const keys = Object.keys(part);
  return (
    keys.join() === Object.keys(full).join() && keys.every((key) => isExcerpt(part[key as never], full[key as never]))
  );
}

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ request: `${method.toUpperCase()} ${path}`, operation })),
);
/** The header of every operation, which docs/api/versioning.md documents once. */
const headerOfAll = "Beat-Version";
/** Statuses that are documented once for every operation. */
const everywhere = ["401", "403", "405", "406", "408", "429", "431", "500", "503"];

test("docs/api/versioning.md documents the header that every operation has", () => {
  expect(operations.filter(({ operation }) => !operation.parameters?.some(({ name }) => name === headerOfAll))).toEqual(
    [],
  );
  expect(pages.versioning).toContain(`\`${headerOfAll}:`);
});

function neededFor({ "x-permission": permission, "x-test-mode": isOfTestMode }: Operation) {
  if (isOfTestMode === true) return { inText: "any test key", inIndex: "any test key" };
  if (permission === undefined) return { inText: "no API key is needed", inIndex: "none" };
  return { inText: `permission \`${permission}\``, inIndex: `\`${permission}\`` };
}

describe.each(operations)("docs/api on $request", ({ request, operation }) => {
  const text = sectionFor(request);

  test("names the operation, its permission, parameters and statuses", () => {
    const { operationId, parameters = [], responses } = operation;
    expect(text).toContain(`operation \`${operationId}\``);
    const needed = neededFor(operation);
    expect(text).toContain(needed.inText);
    expect(
      unmentioned(
        parameters.map(({ name }) => name).filter((name) => name !== headerOfAll),
        text.replaceAll(" (path)", "").replaceAll(" (query)", ""),
      ),
    ).toEqual([]);
    const ownStatuses = Object.keys(responses).filter((status) => !everywhere.includes(status));
    expect(ownStatuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(text))).toEqual([]);
    expect(index).toContain(`| [\`${operationId}\`](`);
    expect(index).toContain(`| \`${request}\` | ${needed.inIndex} |`);
  });

  test("names every field of its request and response", () => {
    const body = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema));
    expect(unmentioned(body, text)).toEqual([]);
    const responseFields = Object.values(operation.responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ schema }) => fieldsOf(schema)),
    );
    // docs/api/conventions.md documents the envelope.
    const envelope = ["status", "data", "success", "error"];
    expect(
      unmentioned(
        responseFields.filter((name) => !envelope.includes(name)),
        allPages,
      ),
    ).toEqual([]);
  });

  const { reference, console } = examples.operations[operation.operationId] ?? {};
  // File responses are not recorded.
  test.skipIf(reference === undefined)("shows a recorded response", () => {
    const blocks = codeBlocks(text, "json").map((code) => JSON.parse(code) as unknown);
    expect(blocks.some((block) => isExcerpt(block, reference))).toBe(true);
    expect(blocks.filter((block) => !isExcerpt(block, reference) && !isExcerpt(block, console))).toEqual([]);
  });
});

test("docs/api/errors.md has every status and code that an operation may send", () => {
  const statuses = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses)));
  const table = section("errors", "Status codes");
  expect([...statuses].filter((status) => !new RegExp(`^\\| (\\d+, )?${status}\\b`, "m").test(table))).toEqual([]);
  const error = openapi.components.schemas.ErrorResponse as {
    properties: { error: { properties: { code: { enum: string[] } } } };
  };
  expect(unmentioned(error.properties.error.properties.code.enum, section("errors", "Codes"))).toEqual([]);
});

test("the table of permissions has every operation, and equals the output of npm run contract", () => {
  const page = pages.authentication ?? "";
  expect(page).toBe(withPermissionTable(page, openapi));
  const withPermission = operations.filter(({ operation }) => operation["x-permission"] !== undefined);
  for (const { request } of withPermission)
    expect(section("authentication", "Permissions")).toContain(`\`${request}\``);
});

test("every permission and plan is documented, with the current figures", () => {
  expect(unmentioned(permissions, section("authentication", "Permissions"))).toEqual([]);
  for (const [name, windows] of Object.entries(plans)) {
    const figures =
      windows.length === 0
        ? ["no limit", "no limit", "no limit"]
        : windows.map(({ limit }) => limit.toLocaleString("en"));
    expect(section("limits", "Plans")).toContain(`| \`${name}\` | ${figures.join(" | ")} |`);
  }
});

test("every response header is documented", () => {
  expect(Object.keys(openapi.components.headers).filter((name) => !allPages.includes(name))).toEqual([]);
});

test("every event type is documented, and every example is a recorded one", () => {
  expect(unmentioned(eventTypes, section("events", "Event types"))).toEqual([]);
  expect(unmentioned(eventTypes, section("events", "Who receives an event"))).toEqual([]);
  const blocks = codeBlocks(section("events", "Payload"), "json").map((code) => JSON.parse(code) as { type: string });
  expect(blocks.filter((block) => !isExcerpt(block, examples.events[block.type]))).toEqual([]);
  expect(blocks.map(({ type }) => type)).toContain("beat.purchased");
});

test("the table of docs/operating.md has every setting, and no other", async () => {
  const settings = new Set<string>();
  readConfig(new Proxy({}, { get: (_target, name) => void settings.add(String(name)) }));
  const rows = (sectionsOf(await read("docs/operating.md")).find(({ heading }) => heading === "Settings")?.text ?? "")
    .split("\n")
    .flatMap((line) =>
      [...(/^\| (`[^|]*`) \|/.exec(line)?.[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    );
  expect(rows.toSorted()).toEqual([...settings].sort());
});

test("these tests detect an omission", () => {
  expect(unmentioned(["genre", "mood"], "| `genre` | integer |")).toEqual(["mood"]);
  expect(isExcerpt({ beats: [{ id: 1 }] }, { beats: [{ id: 1 }, { id: 2 }] })).toBe(true);
  expect(isExcerpt({ beats: [{ id: 2 }] }, { beats: [{ id: 1 }, { id: 2 }] })).toBe(false);
  expect(isExcerpt({ id: 1 }, { id: 1, title: "Dusk" })).toBe(false);
  expect(isExcerpt({ beats: [] }, { beats: [{ id: 1 }] })).toBe(false);
});
