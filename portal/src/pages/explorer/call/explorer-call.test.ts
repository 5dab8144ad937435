import { describe, expect, test } from "vitest";
import document from "../../../../../contract/openapi.json" with { type: "json" };
import { typedCall } from "../../../../../contract/snippets/call.ts";
import { callOf, formOf, initialValues, type LoggedRequest, missingPathParameter, requestOf } from "./explorer-call.ts";
import { type Operation, readOperations } from "./operations.ts";

const operations = readOperations(document as never);
const operation = (id: string): Operation => {
  const match = operations.find((each) => each.id === id);
  if (match === undefined) throw new Error(`There is no ${id}.`);
  return match;
};
const request = (id: string, values: Record<string, string>, form: "console" | "reference" = "reference") =>
  requestOf(callOf(operation(id), values, form));
const loggedRequest = (traits: Partial<LoggedRequest>): LoggedRequest => ({
  operation: "listBeats",
  method: "GET",
  path: "/v1/beats",
  query: "",
  headers: [],
  body: null,
  ...traits,
});

describe("the operations", () => {
  test("are the operations of openapi.json that have code samples, each with its permission and fields", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string; "x-codeSamples"?: object[] }>)
        .filter((method) => method["x-codeSamples"] !== undefined)
        .map(({ operationId }) => operationId),
    );
    expect(operations.map(({ id }) => id)).toEqual(ids);
    expect(operation("createOrder")).toMatchObject({ method: "POST", path: "/orders", permission: "orders:write" });
    expect(operation("createOrder").fields.map(({ name, place, isRequired }) => [name, place, isRequired])).toEqual([
      ["Idempotency-Key", "header", false],
      ["Beat-Version", "header", false],
      ["beat_id", "body", true],
      ["payment_method", "body", true],
      ["license_type", "body", false],
      ["expected_amount", "body", false],
      ["currency", "body", false],
    ]);
    expect(operation("listBeats").fields.find(({ name }) => name === "sort")).toMatchObject({
      kind: "choice",
      choices: ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"],
      defaultValue: "newest",
    });
    expect(operation("updateProfile").fields.find(({ name }) => name === "bio")?.isNullable).toBe(true);
  });

  test("have the type of each field, and whether it accepts several values", () => {
    const kinds = Object.fromEntries(
      operation("listBeats").fields.map(({ name, kind, isList }) => [name, isList ? [kind] : kind]),
    );
    expect(kinds).toMatchObject({
      genre: ["integer"],
      bpm_min: "integer",
      bpm_tolerance: "number",
      half_double: "boolean",
      key: ["musical-key"],
      key_compatible: "musical-key",
      created_after: "date-time",
      license: ["choice"],
      fields: ["text"],
    });
    expect(operation("listBeats").fields.find(({ name }) => name === "facets")?.choices).toContain("genre");
    expect(
      operation("listBeats")
        .fields.filter((field) => field.takesCompatibleKeys)
        .map(({ name }) => name),
    ).toEqual(["key_compatible"]);
  });

  test("can all be sent with the initial values of their form", () => {
    for (const listedOperation of operations) {
      const values = initialValues(listedOperation);
      expect(missingPathParameter(listedOperation, values)).toBeUndefined();
      expect(requestOf(callOf(listedOperation, values, "console")).url).not.toMatch(/[{}]/);
    }
  });
});

describe("the request", () => {
  test("has encoded parameters in path and query, without the empty ones", () => {
    expect(request("listSimilarBeats", { beat_id: "1/2?x", limit: "" }).url).toBe("/v1/beats/1%2F2%3Fx/similar");
    expect(request("search", { q: "night & day", type: "beats" }).url).toBe(
      "/v1/search?q=night%20%26%20day&type=beats",
    );
  });

  test("accepts the chosen response form", () => {
    expect(request("listGenres", {}, "console").headers.accept).toBe("application/vnd.beatmarket.console+json");
    expect(request("listGenres", {}).headers.accept).toBe("application/json");
  });

  test("contains the chosen version, which the typed methods of the libraries cannot send", () => {
    const call = callOf(operation("listGenres"), { "Beat-Version": "2026-11-28" }, "reference");
    expect(requestOf(call).headers).toEqual({ accept: "application/json", "beat-version": "2026-11-28" });
    expect(typedCall(call)).toBeUndefined();
    expect(typedCall(callOf(operation("listGenres"), {}, "reference"))).toBeDefined();
  });

  test("requests only the headers of a file", () => {
    expect(request("exportBeats", {})).toMatchObject({ method: "HEAD", url: "/v1/exports/beats.ndjson.gz" });
  });

  test("has a JSON body with typed fields, null for a nullable field, and an invalid number as text", () => {
    expect(request("createOrder", { beat_id: "7", payment_method: "pm_card_visa", "Idempotency-Key": "a b" })).toEqual({
      method: "POST",
      url: "/v1/orders",
      headers: { accept: "application/json", "content-type": "application/json", "idempotency-key": "a b" },
      body: '{"beat_id":7,"payment_method":"pm_card_visa"}',
    });
    expect(request("createOrder", { beat_id: "seven" }).body).toBe('{"beat_id":"seven"}');
    expect(request("updateProfile", { bio: "null", display_name: "null" }).body).toBe(
      '{"display_name":"null","bio":null}',
    );
    expect(request("updateProfile", {}).body).toBe("{}");
  });
});

describe("the form of a logged call", () => {
  test("has path, query and response form", () => {
    const headers = [{ name: "Accept", value: "application/vnd.beatmarket.console+json" }];
    const call = loggedRequest({
      operation: "listSimilarBeats",
      path: "/api/v1/beats/17/similar",
      query: "limit=3&x=1",
      headers,
    });
    expect(formOf(call, operations)).toEqual({
      operation: operation("listSimilarBeats"),
      values: { beat_id: "17", limit: "3" },
      form: "console",
      isBodyLost: false,
    });
  });

  test("has the version", () => {
    const headers = [{ name: "beat-version", value: "2026-11-28" }];
    const call = loggedRequest({ operation: "listGenres", path: "/v1/genres", headers });
    expect(formOf(call, operations)).toMatchObject({ values: { "Beat-Version": "2026-11-28" } });
  });

  test("has body and Idempotency-Key", () => {
    const call = loggedRequest({
      operation: "createOrder",
      method: "POST",
      path: "/v1/orders",
      headers: [{ name: "idempotency-key", value: "k1" }],
      body: '{"beat_id":7,"payment_method":"pm_card_visa"}',
    });
    expect(formOf(call, operations)).toMatchObject({
      values: { beat_id: "7", payment_method: "pm_card_visa", "Idempotency-Key": "k1" },
      form: "reference",
    });
  });

  test.each([null, "not json", "[1]", '"text"', "5", '{"beat_id":7,"payment_me'])(
    "has no values from a body that is not a JSON object (%s), and warns if there is a body",
    (body) => {
      expect(formOf(loggedRequest({ body }), operations)).toMatchObject({ values: {}, isBodyLost: body !== null });
    },
  );

  test("has a badly encoded path unchanged, and does not exist for an unknown path", () => {
    expect(formOf(loggedRequest({ operation: "getBeat", path: "/v1/beats/%E0%A4%A" }), operations)?.values).toEqual({
      beat_id: "%E0%A4%A",
    });
    expect(formOf(loggedRequest({ operation: null }), operations)).toBeNull();
  });

  test.each([
    ["createBeat", "/beats", { title: "7", genre: 3, audio: "upl_1", price: 29.9, license_prices: { premium: 5 } }],
    ["createBeat", "/beats", { title: "Dawn", genre: "Ambient", tags: ["warm", "8"], bpm: 140.5, status: "draft" }],
    ["updateBeat", "/beats/9", { tags: null, bpm: null, license_prices: null }],
    ["updateBeat", "/beats/9", { tags: ["night"], license_prices: { exclusive: 900.5 }, price: 1 }],
    ["createOrder", "/orders", { beat_id: "seven", payment_method: "pm_card_visa" }],
  ])("sends the same body of %s to %s again", (id, path, body) => {
    const filledForm = formOf(
      loggedRequest({ operation: id, path: `/v1${path}`, body: JSON.stringify(body) }),
      operations,
    );
    expect(JSON.parse(request(id, { ...filledForm?.values }).body ?? "")).toEqual(body);
  });

  test("sends the same query again", () => {
    const url = request("search", { q: "été ?&=", page: "2" }).url;
    const secondForm = formOf(
      loggedRequest({ operation: "search", path: "/v1/search", query: url.split("?")[1] ?? "" }),
      operations,
    );
    expect(request("search", { ...secondForm?.values }).url).toBe(url);
  });
});
