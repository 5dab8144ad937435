import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Example, isClientRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { inject } from "@beatmarket/http/testing/inject.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Permission, permissions } from "../../src/access/roles.ts";
import type { App } from "../../src/app/services/scope.ts";
import type { Database } from "../../src/database/connect.ts";
import { eventTypes } from "../../src/resources/webhooks/event-types.ts";
import {
  documentedRoutes,
  documentText,
  eventTypesText,
  exampleRequest,
  type MakeKey,
  operationsText,
  recordExamples,
} from "../../tools/contract.ts";
import { demoApi } from "../../tools/demo-api.ts";
import { insertExampleFavorites } from "../../tools/example-beats.ts";
import { testDatabase } from "../harness/database/database.ts";
import { closedObjects } from "../harness/documents/closed-objects.ts";
import { unpromised } from "../harness/documents/promised-responses.ts";
import { withTestMode } from "../harness/sandboxes.ts";

const consoleType = "application/vnd.beatmarket.console+json";
const document = JSON.parse(await readFile(new URL("../../../contract/openapi.json", import.meta.url), "utf8"));
const examples = JSON.parse(await readFile(new URL("../../../contract/examples.json", import.meta.url), "utf8"));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedObjects(document), "openapi");

/** Asserts that the document promises such a response for this operation. */
const expectPromised = (operationId: string, response: { statusCode: number; headers: object; body: string }): void =>
  expect(unpromised(operationId, response)).toBeNull();

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-contract-"));
let database: Database;
let demo: Awaited<ReturnType<typeof demoApi>>;
let app: App;
let makeKey: MakeKey;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  demo = await demoApi(database, dataDir, (await withTestMode("contract_")).sandboxServer);
  ({ app, makeKey } = demo);
  key = await makeKey({ plan: "internal" });
});
afterAll(async () => {
  await demo.testMode.close();
  await app.close();
  await rm(dataDir, { recursive: true });
});

describe("contract/openapi.json", () => {
  it("matches the operation table, with the responses of the demo catalogue as examples (npm run contract)", async () => {
    const recorded = await recordExamples(demo, database.query);
    expect(recorded).toEqual(examples);
    expect(documentText(recorded)).toBe(
      await readFile(new URL("../../../contract/openapi.json", import.meta.url), "utf8"),
    );
  });

  it("agrees with contract/event-types.json on the event types (npm run contract)", async () => {
    expect(eventTypesText(documentText(examples))).toBe(
      await readFile(new URL("../../../contract/event-types.json", import.meta.url), "utf8"),
    );
  });

  it("agrees with contract/snippets/operations.json on the methods of the client libraries (npm run contract)", async () => {
    expect(operationsText()).toBe(
      await readFile(new URL("../../../contract/snippets/operations.json", import.meta.url), "utf8"),
    );
  });

  it("describes every event type, each with an example that its schema and its documentation allow", () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
    for (const type of eventTypes) {
      expect(document.webhooks[type]).toEqual({ $ref: `#/components/pathItems/${type}` });
      const { schema, example } = document.components.pathItems[type].post.requestBody.content["application/json"];
      expect(example, type).toEqual(examples.events[type]);
      expect(Object.keys(example), type).toEqual(["id", "created", "type", "data"]);
      const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...example, data: {} }), type).toBe(false);
      expect(validate({ ...example, type: "beat.deleted" }), type).toBe(false);
    }
  });

  it("is served unchanged", async () => {
    const response = await inject(app, "/openapi.json");
    expect(response.json()).toEqual(document);
  });

  it("has an example for each success, in both forms, and for each error", () => {
    for (const route of documentedRoutes().filter(isClientRoute)) {
      const example = examples.operations[route.operationId];
      if (route.file === undefined) {
        expect(example.reference, route.operationId).toMatchObject({ status: "success" });
        expect(example.console, route.operationId).toMatchObject({ success: true });
      }
      expect(example.errors["400"], route.operationId).toMatchObject({ error: { code: "invalid_request" } });
      expect("404" in example.errors).toBe(route.examples.missing !== undefined);
      expect("409" in example.errors).toBe(route.examples.conflict !== undefined);
      expect("412" in example.errors).toBe(route.examples.changed !== undefined);
    }
    expect(Object.keys(examples.shared)).toEqual([
      "401",
      "403",
      "405",
      "406",
      "408",
      "413",
      "415",
      "429",
      "431",
      "500",
      "503",
    ]);
  });
});

/** Files and protocols have tests in the folders of their code. */
const resourceRoutes = documentedRoutes()
  .filter(isClientRoute)
  .filter((route) => route.file === undefined);

describe.each(resourceRoutes)("$method $path", (route) => {
  const send = async (options: {
    example?: Example;
    prefix?: string;
    accept?: string;
    key?: string | null;
    method?: string;
  }) => {
    const { method, path, headers, body } = exampleRequest(route, options.example ?? route.examples.success);
    const sentKey = options.key === undefined ? key : options.key;
    await insertExampleFavorites(database.query, new Date());
    if (route.path.startsWith("/test/")) await demo.testMode.insertExample();
    return inject(app, {
      // Wrong keys are counted by address, so each route has a different one.
      remoteAddress: `10.${resourceRoutes.indexOf(route)}.0.1`,
      method: (options.method ?? method) as "GET",
      url: `${options.prefix ?? "/v1"}${path}`,
      headers: {
        ...headers,
        accept: options.accept ?? "application/json",
        ...(sentKey !== null && { authorization: `Bearer ${sentKey}` }),
      },
      ...(body !== undefined && { payload: body as object }),
    });
  };

  it.each([
    ["/v1", "application/json"],
    ["/v1", consoleType],
    ["/api/v1", "application/json"],
    ["/api/v1", consoleType],
  ])(`${route.response.status} under %s as %s`, async (prefix, accept) => {
    const response = await send({ prefix, accept });
    expect(response.statusCode).toBe(route.response.status);
    expect(response.headers["content-type"]).toBe(accept);
    expect(response.headers.vary).toContain("Accept");
    expect(response.headers["x-request-id"]).toMatch(/^[\w-]{20,}$/);
    expectPromised(route.operationId, response);
  });

  it("400 for its invalid example and for an unknown parameter, in the common form of errors", async () => {
    for (const example of [
      route.examples.invalid,
      { ...route.examples.success, parameters: { ...route.examples.success.parameters, frobnicate: 1 } },
    ])
      for (const accept of ["application/json", consoleType]) {
        const response = await send({ ...(example !== undefined && { example }), accept });
        expect(response.statusCode).toBe(400);
        expect(response.headers["content-type"]).toBe("application/json");
        expect(response.json()).toMatchObject({ status: "error", error: { code: "invalid_request" } });
        expectPromised(route.operationId, response);
      }
  });

  it("401 without a key, if it needs one, and with a wrong key", async () => {
    for (const wrongKey of [
      ...(route.permission === null && route.ofTestMode !== true ? [] : [null]),
      "bm_nonsense",
      `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`,
    ]) {
      const response = await send({ key: wrongKey });
      expect(response.statusCode).toBe(401);
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
      expect(response.headers).not.toHaveProperty("x-ratelimit-limit");
      expectPromised(route.operationId, response);
    }
  });

  it.skipIf(route.permission === null)(
    "403 for a key that lacks only the required permission, which the details name",
    async () => {
      const otherPermissions: Permission[] = permissions.filter((permission) => permission !== route.permission);
      const response = await send({ key: await makeKey({ plan: "internal", permissions: otherPermissions }) });
      expect(response.statusCode).toBe(403);
      expect(response.json().error.details).toContain(route.permission);
      expectPromised(route.operationId, response);
    },
  );

  if (route.examples.missing !== undefined)
    it("404 for a resource that does not exist", async () => {
      const { missing } = route.examples;
      for (const accept of ["application/json", consoleType]) {
        const response = await send({ ...(missing !== undefined && { example: missing }), accept });
        expect(response.statusCode).toBe(404);
        expect(response.json()).toMatchObject({ error: { code: "not_found" } });
        expectPromised(route.operationId, response);
      }
    });

  if (route.examples.conflict !== undefined)
    it("409 for a conflict with the current state", async () => {
      const { conflict } = route.examples;
      const response = await send({ ...(conflict !== undefined && { example: conflict }) });
      expect(response.statusCode).toBe(409);
      expect(response.json()).toMatchObject({ error: { code: "invalid_request" } });
      expectPromised(route.operationId, response);
    });

  if (route.examples.changed !== undefined)
    it("412 for a change based on an earlier state", async () => {
      const { changed } = route.examples;
      const response = await send({ ...(changed !== undefined && { example: changed }) });
      expect(response.statusCode).toBe(412);
      expect(response.json()).toMatchObject({ error: { code: "invalid_request" } });
      expectPromised(route.operationId, response);
    });

  if (route.body !== undefined)
    it("413 for more than 100 kB, 415 for a body that is not JSON", async () => {
      const headers = { "content-type": "text/plain" };
      for (const [status, example] of [
        [413, { ...route.examples.success, body: { text: "x".repeat(100_000) } }],
        [415, { ...route.examples.success, headers, body: JSON.stringify(route.examples.success.body) }],
      ] as const) {
        const response = await send({ example });
        expect(response.statusCode).toBe(status);
        expect(response.json()).toMatchObject({ error: { code: "invalid_request" } });
        expectPromised(route.operationId, response);
      }
    });

  it("405 for another method, with the allowed methods", async () => {
    const samePathRoutes = documentedRoutes().filter(({ path }) => path === route.path);
    const unknown = ["DELETE", "PUT", "POST"].find((method) =>
      samePathRoutes.every((other) => other.method !== method),
    );
    if (unknown === undefined) throw new Error(`${route.path} has every method.`);
    const response = await send({ method: unknown, example: { parameters: route.examples.success.parameters ?? {} } });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toContain(route.method);
    expect(response.json()).toMatchObject({ status: "error", error: { code: "invalid_request" } });
    expectPromised(route.operationId, response);
  });

  it("406 if the request excludes all JSON", async () => {
    const response = await send({ accept: "text/html" });
    expect(response.statusCode).toBe(406);
    expectPromised(route.operationId, response);
  });

  it("429 once the minute's ten requests are used up, with the time to wait", async () => {
    const standard = await makeKey({ plan: "standard" });
    for (let count = 0; count < 10; count++) expect((await send({ key: standard })).statusCode).not.toBe(429);
    const response = await send({ key: standard });
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({
      "retry-after": "60",
      "x-ratelimit-limit": "10",
      "x-ratelimit-remaining": "0",
    });
    expectPromised(route.operationId, response);
  });

  if (route.method === "GET")
    it("304 for the ETag of its response, and HEAD without a body", async () => {
      const full = await send({});
      const { path } = exampleRequest(route, route.examples.success);
      const headers = { authorization: `Bearer ${key}` };
      const secondResponse = await inject(app, {
        url: `/v1${path}`,
        headers: { ...headers, "if-none-match": `"x", W/${full.headers.etag}` },
      });
      expect(secondResponse.statusCode).toBe(304);
      expect(secondResponse.body).toBe("");
      expect(secondResponse.headers.etag).toBe(full.headers.etag);
      if (documentedRoutes().some(({ path, method }) => path === route.path && method === "HEAD")) return;
      const head = await inject(app, { method: "HEAD", url: `/v1${path}`, headers });
      expect(head.statusCode).toBe(200);
      expect(head.body).toBe("");
      expect(head.headers["content-length"]).toBe(full.headers["content-length"]);
    });
});
