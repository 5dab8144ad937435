import { readFileSync } from "node:fs";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { publicUrl } from "../harness/api.ts";
import { insertUpload } from "../harness/database/uploads.ts";
import type { JsonSchema, Operation } from "../harness/documents/promised-responses.ts";
import { makeKey, type SignedInVisitor, testPassword, testPortal } from "../harness/portal.ts";
import { hostileTexts } from "./contract-fuzz/hostile-texts.ts";
import { leakIn } from "./leaks.ts";

// Calls every portal route with odd values, one at a time in an otherwise valid call. The caller is an operator who
// owns an organisation, because that caller passes the most checks.

const document = JSON.parse(
  readFileSync(new URL("../../../contract/portal-openapi.json", import.meta.url), "utf8"),
) as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, JsonSchema> } };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);
type PortalOperation = (typeof operations)[number];

/** Integers as written in JSON and in a URL. JavaScript cannot represent the largest exactly. */
const oddIntegers = ["0", "-1", "2147483648", "9007199254740993", "9223372036854775808", "1e400", "-0", "1.5"];
const oddTexts = ['"\\ud800"', '"\\u202eabc"', '"a\\u0000b"', '""', JSON.stringify("x".repeat(20_000))];
const oddOthers = ["null", "true", "{}", "[]", "[[]]", "[null]", '{"__proto__":1}'];
/** Odd values by the type of the parameter. */
const oddParameters: Record<string, readonly string[]> = {
  integer: [...oddIntegers, "9".repeat(400), "x", "\0"],
  string: [...hostileTexts, "x".repeat(5_000), "2026-02-30T00:00:00Z", "+275760-09-13T00:00:00Z", ...oddIntegers],
};

const clock = new FakeClock();
const portal = await testPortal({ clock });
const { driver } = portal.database;
let operator: SignedInVisitor;
let organisationId = 0;
/** Ids of resources that the organisation has. */
const ownIds: Record<string, string | number> = {};
beforeAll(async () => {
  operator = await portal.signUp();
  await driver`update users set operator = true where id = ${operator.userId}`;
  const createdOrganisation = await operator.send("POST", "/organisations", { name: "Acme" });
  organisationId = createdOrganisation.json().id;
  ownIds.key_id = (await makeKey(operator)).json().id;
  ownIds.endpoint_id = (await operator.send("POST", "/webhooks/inbox")).json().id;
  ownIds.view_id = (await operator.send("POST", "/calls/views", { name: "Errors", query: "class=5xx" })).json().id;
  ownIds.upload_id = await insertUpload(portal.database, { userId: organisationId });
  ownIds.user_id = (await portal.signUp()).userId;
});

let calls = 0;
/** Advances the clock past the rate limits. Before every 14th call it signs in again and acts as the organisation. */
async function settle(): Promise<void> {
  clock.advance(60_000);
  if (calls++ % 14 !== 0) return;
  const signedIn = await operator.send("POST", "/auth/sign-in", { email: operator.email, password: testPassword });
  expect(signedIn.statusCode, signedIn.body).toBe(204);
  await driver`
    update portal_sessions set acting_as = ${organisationId}
    where user_id = (select id from portal_users where user_id = ${operator.userId})`;
}

async function call({ method, operationId }: PortalOperation, path: string, payload?: string): Promise<void> {
  await settle();
  const response = await portal.api.request({
    method: method as "POST",
    url: `/portal/api${path}`,
    headers: {
      origin: publicUrl,
      cookie: operator.cookie(),
      ...(payload !== undefined && { "content-type": "application/json" }),
    },
    ...(payload !== undefined && { payload }),
  });
  const failureMessage = `${operationId} ${path.slice(0, 200)} ${payload?.slice(0, 300)}: ${response.body.slice(0, 300)}`;
  expect(response.statusCode, failureMessage).toBeLessThan(500);
  // A check of the value must refuse the call, not an earlier check.
  if (!path.startsWith("/auth/")) expect([401, 429], failureMessage).not.toContain(response.statusCode);
  expect(
    leakIn({ head: "", body: response.body }, `${decodeURIComponent(path)} ${payload}`),
    failureMessage,
  ).toBeNull();
}

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** A plain valid value of a schema, as JSON. */
function plainValue(name: string, memberSchema: JsonSchema): string {
  const schema = resolved(memberSchema);
  if (schema.anyOf !== undefined) return plainValue(name, schema.anyOf[0] ?? {});
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0]);
  if (schema.type === "object") return objectWith(schema, null);
  if (schema.type === "array") return `[${plainValue(name, schema.items ?? {})}]`;
  if (schema.type === "boolean") return "true";
  if (schema.type === "integer" || schema.type === "number") return "1";
  return JSON.stringify(name.includes("email") ? "ada@example.com" : (ownIds[name] ?? "Ada Lovelace 1815"));
}

/** An object with all its members, one of which is replaced, or omitted (undefined). */
function objectWith(schema: JsonSchema, oddMember: { name: string; value: string | undefined } | null): string {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const value = oddMember?.name === name ? oddMember.value : plainValue(name, member);
    return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
  });
  return `{${members.join(",")}}`;
}

let members = 0;
/**
 * The values to test for a member of a body: all values of the member's type, and two values of other types. The schema
 * refuses other types for every member alike, so each member tests two different types.
 */
function oddValuesOf(types: readonly JsonSchema[]): string[] {
  const isText = types.some(({ type }) => type === "string");
  const isNumber = types.some(({ type }) => type === "integer" || type === "number");
  const oddValues = [...(isText ? [] : oddTexts), ...(isNumber ? [] : oddIntegers), ...oddOthers];
  const turn = 2 * members++;
  return [
    ...(isText ? oddTexts : []),
    ...(isNumber ? oddIntegers : []),
    ...[turn, turn + 1].map((index) => oddValues[index % oddValues.length] ?? ""),
  ];
}

/** Bodies with one odd member each, including members of nested objects. */
function* oddBodies(schema: JsonSchema): Generator<string> {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const alternatives = [member, ...(member.anyOf ?? []), ...(member.items === undefined ? [] : [member.items])].map(
      resolved,
    );
    for (const value of [undefined, ...oddValuesOf(alternatives)]) yield objectWith(schema, { name, value });
    for (const inner of alternatives.filter(({ properties }) => properties !== undefined))
      for (const value of oddBodies(inner))
        yield objectWith(schema, { name, value: member.items === undefined ? value : `[${value}]` });
  }
}

const pathWith = ({ path, parameters = [] }: PortalOperation, oddParameter?: { name: string; text: string }): string =>
  parameters
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (text, { name }) =>
        text.replace(
          `{${name}}`,
          encodeURIComponent(oddParameter?.name === name ? oddParameter.text : String(ownIds[name] ?? 1)),
        ),
      path,
    );

describe("an odd value causes no server error at", () => {
  test.each(operations)("$method $path", async (operation) => {
    const content = Object.values(operation.requestBody?.content ?? {})[0];
    const schema = content === undefined ? undefined : resolved(content.schema);
    const body = schema === undefined ? undefined : plainValue("body", schema);
    for (const { name, in: place, schema } of operation.parameters ?? [])
      for (const text of (oddParameters[schema.type ?? ""] ?? []).filter((text) => place === "query" || text !== "")) {
        const query = place === "query" ? `?${name}=${encodeURIComponent(text)}` : "";
        await call(operation, pathWith(operation, { name, text }) + query, body);
      }
    if (schema === undefined) return;
    await call(operation, pathWith(operation), body);
    for (const oddBody of oddBodies(schema)) await call(operation, pathWith(operation), oddBody);
  });
});
