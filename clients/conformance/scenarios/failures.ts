import assert from "node:assert/strict";
import { errorBody, type Fault, responding } from "../runner/fault-proxy.ts";
import { freePort } from "../runner/service.ts";
import { Actor, type Bed, expectFailure, expectSuccess, gapsMs, type Scenario } from "./scenario.ts";

const once = { max_retries: 0 };

/** A fault for the first request only. */
const onFirstRequest = (fault: Fault) => (_: unknown, index: number) => (index === 0 ? fault : undefined);

const limited = (retryAfter: string): Fault =>
  responding(429, errorBody("rate_limit_exceeded"), { "retry-after": retryAfter });

export const failures: Scenario[] = [
  {
    name: "12 errors by status",
    run: async (bed) => {
      const { account, facts, proxy } = bed;
      const actor = new Actor(bed, "12");
      const usedKey = `taken-${bed.language}`;
      const order = { beat_id: facts.beats[2], payment_method: "pm_card_visa", idempotency_key: usedKey };
      expectSuccess(await actor.call("createOrder", order));
      const errorResponse = (status: number, code: string): Fault =>
        responding(status, errorBody(code, `Message ${status}`, "Détails 😀."), { "x-request-id": `req-${status}` });
      const cases: [number, string, string, [string, object, object?], Fault?][] = [
        [400, "InvalidRequestError", "invalid_request", ["listBeats", { limit: 999 }]],
        [401, "AuthenticationError", "unauthorized", ["getBeat", { beat_id: 1 }, { api_key: "bm_nobodys" }]],
        [403, "PermissionDeniedError", "forbidden", ["getBeat", { beat_id: 1 }, { api_key: account.genresOnlyKey }]],
        [404, "NotFoundError", "not_found", ["getBeat", { beat_id: 99_999_999 }]],
        [409, "InvalidRequestError", "invalid_request", ["createOrder", { ...order, beat_id: facts.beats[3] }]],
        [
          409,
          "InvalidRequestError",
          "invalid_request",
          ["createOrder", { ...order, idempotency_key: `${usedKey}-price`, expected_amount: 0.01, currency: "USD" }],
        ],
        [418, "APIStatusError", "teapot", ["getBeat", { beat_id: 1 }], errorResponse(418, "teapot")],
        [418, "NotFoundError", "not_found", ["getBeat", { beat_id: 1 }], errorResponse(418, "not_found")],
        [422, "APIStatusError", "constructor", ["getBeat", { beat_id: 1 }], errorResponse(422, "constructor")],
        [500, "ServerError", "server_error", ["getBeat", { beat_id: 1 }], errorResponse(500, "server_error")],
        [599, "ServerError", "not_found", ["getBeat", { beat_id: 1 }], errorResponse(599, "not_found")],
      ];
      for (const [status, name, code, [operation, args, client], fault] of cases) {
        proxy.begin(() => fault);
        const error = expectFailure(await actor.call(operation, args, { ...once, ...client }), name);
        const response = proxy.requests[0]?.response;
        const { message, details } = JSON.parse(String(response?.body)).error;
        assert.equal(response?.status, status);
        assert.ok(response?.headers["x-request-id"]);
        assert.deepEqual(
          [error.status, error.code, error.message, error.details, error.request_id],
          [status, code, message, details, response?.headers["x-request-id"]],
        );
        assert.ok(error.text.includes(details.slice(0, 40)), `the message lacks the details: ${error.text}`);
        assert.equal(proxy.requests.length, 1);
      }
    },
  },
  {
    name: "13 429 with Retry-After: 1, then 200",
    run: async (bed) => {
      bed.proxy.begin(onFirstRequest(limited("1")));
      expectSuccess(await new Actor(bed, "13").call("listGenres"));
      assert.equal(bed.proxy.requests.length, 2);
      assert.ok((gapsMs(bed.proxy.requests)[0] ?? 0) >= 990, `waited ${gapsMs(bed.proxy.requests)[0]} ms`);
    },
  },
  {
    name: "14 429 with a date, an invalid and a negative Retry-After",
    run: async (bed) => {
      const actor = new Actor(bed, "14");
      const inThreeSeconds = (): string => new Date(Date.now() + 3_000).toUTCString();
      bed.proxy.begin((_, index) => (index === 0 ? limited(inThreeSeconds()) : undefined));
      expectSuccess(await actor.call("listGenres"));
      const [waited = 0] = gapsMs(bed.proxy.requests);
      assert.ok(waited >= 1_500, `with a date it waited ${waited} ms`);
      for (const nonsense of [
        "soon",
        "-5",
        "1.5e3",
        "Wed, 99 Foo 2026 00:00:00 GMT",
        "Fri, 01 Jan 2021 00:00:00 GMT",
      ]) {
        bed.proxy.begin(onFirstRequest(limited(nonsense)));
        expectSuccess(await actor.call("listGenres"));
        const [backoff = 0] = gapsMs(bed.proxy.requests);
        assert.ok(backoff >= 240, `with "${nonsense}" it waited ${backoff} ms`);
        bed.proxy.begin(() => limited(nonsense));
        const error = expectFailure(await actor.call("listGenres", {}, once), "RateLimitError");
        assert.equal(error.retry_after, null);
      }
    },
  },
  {
    name: "15 429 with Retry-After: 3600",
    run: async (bed) => {
      const actor = new Actor(bed, "15");
      bed.proxy.begin(() => limited("3600"));
      const error = expectFailure(await actor.call("listGenres"), "RateLimitError");
      assert.equal(error.retry_after, 3_600);
      assert.equal(bed.proxy.requests.length, 1);
      // The limit is configurable, and a 409 with Retry-After is retried.
      bed.proxy.begin(() => limited("2"));
      expectFailure(await actor.call("listGenres", {}, { max_retry_after_seconds: 1 }), "RateLimitError");
      assert.equal(bed.proxy.requests.length, 1);
      bed.proxy.begin(onFirstRequest(responding(409, errorBody("invalid_request"), { "retry-after": "1" })));
      expectSuccess(await actor.call("listGenres"));
      assert.equal(bed.proxy.requests.length, 2);
    },
  },
  {
    name: "16 503 three times",
    run: async (bed) => {
      bed.proxy.begin(() => responding(503, errorBody("server_error")));
      const error = expectFailure(await new Actor(bed, "16").call("listGenres"), "ServerError");
      assert.equal(error.status, 503);
      assert.equal(bed.proxy.requests.length, 3);
      const [first = 0, second = 0] = gapsMs(bed.proxy.requests);
      assert.ok(first >= 240 && second >= 490, `waited ${first} and ${second} ms`);
    },
  },
  {
    name: "17 retries off, connection dropped",
    run: async (bed) => {
      const actor = new Actor(bed, "17");
      bed.proxy.begin(() => ({ kind: "drop" }));
      const order = { beat_id: bed.facts.beats[0], payment_method: "pm_card_visa" };
      for (const [operation, args] of [
        ["listGenres", {}],
        ["createOrder", order],
        ["updateProfile", { bio: null }],
      ] as const) {
        bed.proxy.begin(() => ({ kind: "drop" }));
        expectFailure(await actor.call(operation, args, once), "APIConnectionError");
        assert.equal(bed.proxy.requests.length, 1, operation);
      }
      bed.proxy.begin(onFirstRequest({ kind: "drop" }));
      expectSuccess(await actor.call("listGenres"));
      assert.equal(bed.proxy.requests.length, 2);
    },
  },
  {
    name: "18 responses of an unknown form",
    run: async (bed) => {
      const actor = new Actor(bed, "18");
      const html = { "content-type": "text/html" };
      const page = "<!DOCTYPE html><title>Bad gateway</title>";
      const bodies = [page, "null", "", "[]", '"text"', "{", '{"status":"success"}', '{"status":"success","data":{}}'];
      bodies.push('{"status":"success","data":{"beat":null}}', '{"status":"success","data":{"beat":[]}}');
      for (const body of bodies) {
        bed.proxy.begin(() => responding(200, body, html));
        const error = expectFailure(await actor.call("getBeat", { beat_id: 1 }), "APIStatusError");
        assert.deepEqual([error.status, error.code], [200, null], body);
        assert.equal(bed.proxy.requests.length, 1, body);
      }
      for (const body of [page, "null", "", "{"]) {
        bed.proxy.begin(() => responding(200, body, html));
        expectFailure(await actor.do("request", { method: "GET", path: "/beats/1" }), "APIStatusError");
      }
      for (const body of ["{}", page, '{"status":"success","data":{"beats":[]}}']) {
        bed.proxy.begin(() => responding(200, body));
        const { items, errors } = await actor.iterate("listBeats", {});
        assert.deepEqual(items, []);
        expectFailure({ error: errors[0] }, "APIStatusError");
      }
      bed.proxy.begin(() => responding(200, errorBody("not_found", "Not found", "Gone.")));
      const { error: problem } = await actor.call("getBeat", { beat_id: 1 });
      assert.ok(problem?.is?.includes("APIStatusError"), JSON.stringify(problem));
      assert.deepEqual([problem.status, problem.code, problem.details], [200, "not_found", "Gone."]);
      for (const body of [page, "null", '{"error":"text"}', '{"error":{"code":7}}']) {
        bed.proxy.begin(() => responding(502, body, html));
        const error = expectFailure(await actor.call("getBeat", { beat_id: 1 }, once), "ServerError");
        assert.deepEqual([error.status, error.code], [502, null], body);
        // The command line prints only the message.
        if (bed.language !== "cli") assert.deepEqual([error.content_type, error.excerpt], ["text/html", body]);
      }
    },
  },
  {
    name: "19 headers stall, the body stalls",
    run: async (bed) => {
      const actor = new Actor(bed, "19");
      for (const after of ["nothing", "headers"] as const) {
        bed.proxy.begin(() => ({ kind: "stall", after }));
        const client = { timeout_seconds: 3, max_retries: 0 };
        expectFailure(await actor.call("getBeat", { beat_id: 1 }, client), "APITimeoutError");
        assert.equal(bed.proxy.requests.length, 1);
      }
      bed.proxy.begin(onFirstRequest({ kind: "stall", after: "nothing" }));
      expectSuccess(await actor.call("listGenres", {}, { timeout_seconds: 3 }));
      assert.equal(bed.proxy.requests.length, 2);
    },
  },
  {
    name: "20 connection refused, untrusted certificate",
    run: async (bed) => {
      const actor = new Actor(bed, "20");
      const refusing = { ...once, base_url: `https://localhost:${await freePort()}/v1` };
      const refused = expectFailure(await actor.call("listGenres", {}, refusing), "APIConnectionError");
      assert.ok(refused.cause, "the cause is lost");
      bed.proxy.begin();
      const untrusting = { ...once, ca_file: bed.otherCaFile };
      const untrusted = expectFailure(await actor.call("listGenres", {}, untrusting), "APIConnectionError");
      assert.ok(untrusted.cause, "the cause is lost");
      assert.match(untrusted.cause, /certificate|verif|issuer/i);
      assert.equal(bed.proxy.requests.length, 0);
    },
  },
  {
    name: "21 a redirect to another origin",
    run: async (bed) => {
      const actor = new Actor(bed, "21");
      bed.elsewhere.begin();
      for (const status of [301, 302, 303, 307, 308]) {
        bed.proxy.begin(() => responding(status, "", { location: `${bed.elsewhere.origin}/v1/genres` }));
        const error = expectFailure(await actor.call("listGenres"), "APIStatusError");
        assert.equal(error.status, status);
        assert.equal(bed.proxy.requests.length, 1);
      }
      assert.equal(bed.elsewhere.requests.length, 0);
      await redirectedHome(bed, actor);
    },
  },
];

/** Clients do not follow redirects to the same origin either. */
async function redirectedHome(bed: Bed, actor: Actor): Promise<void> {
  bed.proxy.begin(onFirstRequest(responding(302, "", { location: "/v1/genres" })));
  expectFailure(await actor.call("getBeat", { beat_id: 1 }), "APIStatusError");
  assert.equal(bed.proxy.requests.length, 1);
}
