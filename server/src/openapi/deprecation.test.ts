import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./document.ts";

const year = { since: "2027-01-15", sunset: "2028-01-15" };
const soon = { since: "2026-11-01", sunset: "2027-11-01" };

const response = { status: 200 as const, reference: Type.Object({}), console: Type.Object({}) };
const otherFields = {
  client: "moods.list",
  tag: "Moods",
  summary: "List moods",
  description: "Every mood.",
  permission: "beats:read" as const,
  response,
  present: { reference: () => ({}), console: () => ({ data: {} }) },
  examples: { success: {} },
  handle: async () => ({}),
};
const query = Type.Object({
  mood: Type.Optional(Type.String({ description: "The mood.", "x-deprecation": soon })),
  page: Type.Optional(Type.Integer()),
});
const body = Type.Object({
  tone: Type.Optional(Type.String({ "x-deprecation": soon })),
  level: Type.Integer({ default: 1, "x-deprecation": year }),
});

const rows = [
  route({ ...otherFields, operationId: "listMoods", method: "GET", path: "/moods", query }),
  route({ ...otherFields, operationId: "getMood", method: "GET", path: "/mood", query, deprecation: year }),
  route({
    ...otherFields,
    operationId: "createMood",
    method: "POST",
    path: "/moods",
    body,
    changesContent: () => false,
  }),
];
const api = openRoutes(rows.map((row) => ({ ...row, access: { by: "anyone" as const } })));

const headersOf = async (method: "GET" | "POST", url: string, payload?: object) => {
  const { headers, statusCode } = await api.inject({ method, url, ...(payload !== undefined && { payload }) });
  expect(statusCode).toBeLessThan(401);
  const { deprecation, sunset, link } = headers;
  return { deprecation, sunset, link };
};

const link = '</explorer>; rel="deprecation"; type="text/html"';
const none = { deprecation: undefined, sunset: undefined, link: undefined };
// 2027-01-15 and 2026-11-01, 00:00 UTC.
const endsLater = { deprecation: "@1799971200", sunset: "Sat, 15 Jan 2028 00:00:00 GMT", link };
const endsFirst = { deprecation: "@1793491200", sunset: "Mon, 01 Nov 2027 00:00:00 GMT", link };

describe("the headers of a deprecation", () => {
  it("are in every response of a deprecated operation, including refusals", async () => {
    expect(await headersOf("GET", "/mood")).toEqual(endsLater);
    expect(await headersOf("GET", "/mood?frobnicate=1")).toEqual(endsLater);
  });

  it("are only in the response to a request that uses a deprecated parameter or field", async () => {
    expect(await headersOf("GET", "/moods?mood=calm")).toEqual(endsFirst);
    expect(await headersOf("GET", "/moods?page=1")).toEqual(none);
    expect(await headersOf("POST", "/moods", { tone: "warm" })).toEqual(endsFirst);
    expect(await headersOf("POST", "/moods", { level: 2 })).toEqual(endsLater);
    expect(await headersOf("POST", "/moods", {})).toEqual(none);
  });

  it("have the dates of the deprecated part that ends first", async () => {
    expect(await headersOf("GET", "/mood?mood=calm")).toEqual(endsFirst);
    expect(await headersOf("POST", "/moods", { level: 2, tone: "warm" })).toEqual(endsFirst);
  });
});

it("the document marks the operation, the parameter and the field as deprecated, with the date of the end", () => {
  const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "KEY", caFile: undefined };
  const samples = rows.map((row) => ({ ...row, operationId: "listBeats" }));
  const { paths } = openApiDocument(
    samples,
    [],
    { operations: {}, shared: {}, events: {} },
    { site: "Beats", connection },
  ) as {
    paths: Record<string, Record<string, { deprecated?: boolean; description: string; parameters: object[] }>>;
  };
  expect(paths["/mood"]?.get).toMatchObject({
    deprecated: true,
    "x-sunset": "2028-01-15",
    description: expect.stringContaining("Deprecated since 2027-01-15; it works until 2028-01-15 at least."),
  });
  expect(paths["/moods"]?.get).not.toHaveProperty("deprecated");
  const [mood, page] = paths["/moods"]?.get?.parameters ?? [];
  expect(mood).toEqual({
    name: "mood",
    in: "query",
    required: false,
    description: "The mood. Deprecated since 2026-11-01; it works until 2027-11-01 at least.",
    deprecated: true,
    "x-sunset": "2027-11-01",
    schema: { type: "string" },
  });
  expect(page).not.toHaveProperty("deprecated");
  const fields = paths["/moods"]?.post as unknown as {
    requestBody: { content: { "application/json": { schema: { properties: object } } } };
  };
  expect(fields.requestBody.content["application/json"].schema.properties).toMatchObject({
    tone: {
      deprecated: true,
      "x-sunset": "2027-11-01",
      description: "Deprecated since 2026-11-01; it works until 2027-11-01 at least.",
    },
  });
});

it("a sunset less than twelve months after the deprecation is refused at the start", () => {
  const deprecation = { since: "2027-01-15", sunset: "2028-01-14" };
  expect(() => route({ ...otherFields, operationId: "getMood", method: "GET", path: "/mood", deprecation })).toThrow(
    "must last for twelve months",
  );
});
