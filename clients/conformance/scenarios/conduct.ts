import assert from "node:assert/strict";
import type { ClientInterface, Operation } from "../../generator/interface/types.ts";
import { errorBody, responding } from "../runner/fault-proxy.ts";
import { Actor, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

export const conduct: Scenario[] = [
  {
    name: "22 no key and no secret in log, inspection or error",
    run: async (bed) => {
      const secret = "whsec_bm9ib2R5IG11c3Qgc2VlIHRoaXMgc2VjcmV0";
      bed.proxy.begin((_, index) => (index === 3 ? { kind: "drop" } : undefined));
      const calls = [
        { operation: "listBeats", arguments: { limit: 1 } },
        { operation: "getBeat", arguments: { beat_id: bed.facts.beats[0] } },
        { operation: "getBeat", arguments: { beat_id: 99_999_999 } },
        { operation: "getBeat", arguments: { beat_id: bed.facts.beats[1] } },
      ];
      const { log, inspected, errors } = await new Actor(bed, "22").do(
        "secrets",
        { calls, secret },
        { max_retries: 0 },
      );
      assert.equal(typeof log, "string", "the driver failed");
      assert.match(log, /\/v1\/beats/);
      assert.match(log, /404/);
      assert.ok(inspected.length >= 3 && inspected.every((one: unknown) => typeof one === "string" || one === null));
      assert.match(errors.join("\n"), /99999999/, "no error names the missing beat");
      for (const text of [log, ...inspected, ...errors])
        for (const hidden of [bed.account.apiKey, bed.account.apiKey.slice(3), secret, secret.slice(6)])
          assert.ok(!String(text).includes(hidden), `a secret appears in ${String(text).slice(0, 2_000)}`);
    },
  },
  {
    name: "23 rate-limit headers, present and absent",
    run: async (bed) => {
      const actor = new Actor(bed, "23");
      const calls = [
        ["listBeats", { limit: 1 }],
        ["listGenres", {}],
        ["getBeat", { beat_id: bed.facts.beats[0] }],
        ["search", { q: "lantern" }],
      ] as const;
      for (const [operation, args] of calls) {
        bed.proxy.begin();
        const { meta } = expectSuccess(await actor.call(operation, args));
        const headers = bed.proxy.requests[0]?.response?.headers ?? {};
        assert.ok(headers["x-ratelimit-limit"]);
        assert.deepEqual(meta, {
          status: 200,
          request_id: headers["x-request-id"],
          etag: headers.etag ?? null,
          rate_limit: {
            limit: Number(headers["x-ratelimit-limit"]),
            remaining: Number(headers["x-ratelimit-remaining"]),
            reset: Number(headers["x-ratelimit-reset"]),
          },
        });
        bed.proxy.begin(() => ({
          kind: "change",
          change: (response) => ({ ...response, headers: withoutLimits(response) }),
        }));
        const unlimited = expectSuccess(await actor.call(operation, args));
        assert.equal(unlimited.meta.rate_limit, null, operation);
      }
      bed.proxy.begin(() =>
        responding(429, errorBody("rate_limit_exceeded"), {
          "x-ratelimit-limit": "10",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": "1795176000",
          "retry-after": "7",
        }),
      );
      const error = expectFailure(await actor.call("listGenres", {}, { max_retries: 0 }), "RateLimitError");
      assert.deepEqual(error.rate_limit, { limit: 10, remaining: 0, reset: 1_795_176_000 });
      assert.equal(error.retry_after, 7);
      bed.proxy.begin(() => responding(404, errorBody("not_found"), { "x-ratelimit-limit": "many" }));
      assert.equal(expectFailure(await actor.call("getBeat", { beat_id: 1 }), "NotFoundError").rate_limit, null);
    },
  },
  {
    name: "24 eight concurrent workers, twenty calls each",
    run: async (bed) => {
      const { beats } = bed.facts;
      const calls = Array.from({ length: 8 }, (_, worker) =>
        Array.from({ length: 20 }, (__, index) => ({ beat_id: beats[(worker * 7 + index * 3) % beats.length] })),
      );
      bed.proxy.begin();
      const { values } = await new Actor(bed, "24").do("parallel", { operation: "getBeat", calls });
      assert.deepEqual(
        values,
        calls.map((worker) => worker.map(({ beat_id }) => beat_id)),
      );
      assert.equal(bed.proxy.requests.length, 161);
    },
  },
  {
    name: "25 a failure on page 3, and the caller resumes",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const args = { limit: 10, genre: facts.genre };
      const failing = [responding(500, errorBody("server_error")), { kind: "drop" } as const];
      for (const fault of failing)
        for (const [options, ids] of [
          [{}, facts.beats],
          [{ max_items: 25 }, facts.beats.slice(0, 25)],
        ] as const) {
          proxy.begin((_, index) => (index === 2 ? fault : undefined));
          const { items, errors } = await new Actor(bed, "25").iterate(
            "listBeats",
            args,
            { resume: true, ...options },
            { max_retries: 0 },
          );
          assert.equal(errors.length, 1);
          expectFailure({ error: errors[0] }, fault.kind === "drop" ? "APIConnectionError" : "ServerError");
          assert.deepEqual(items, ids);
          assert.equal(proxy.requests[2]?.url, proxy.requests[3]?.url);
          assert.equal(proxy.requests.length, Math.ceil(ids.length / 10) + 1);
        }
    },
  },
  {
    name: "26 User-Agent",
    run: async (bed) => {
      bed.proxy.begin();
      expectSuccess(await new Actor(bed, "26").call("listGenres"));
      const agent = bed.proxy.requests[0]?.headers["user-agent"] ?? "";
      assert.ok(`${agent} `.startsWith(`beatmarket-${bed.language}/${bed.version} `), agent);
    },
  },
  {
    name: "a raw request with another Accept",
    run: async (bed) => {
      const actor = new Actor(bed, "raw");
      const raw = expectSuccess(
        await actor.do("request", {
          method: "GET",
          path: "/beats",
          query: { limit: 1, genre: null },
          headers: { Accept: "application/vnd.beatmarket.console+json" },
        }),
      );
      assert.equal(raw.value.success, true);
      assert.equal(raw.value.data.length, 1);
    },
  },
];

/** The last scenario of a language: each operation of the client was called. */
export const everyOperation = ({ operations }: ClientInterface): Scenario => ({
  name: "every operation went through the proxy",
  run: async ({ proxy }) => {
    const isCalled = ({ httpMethod, path }: Operation): boolean => {
      const pattern = new RegExp(`^/v1${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
      return proxy.everSeen.some((request) => request.method === httpMethod && pattern.test(request.path));
    };
    const uncalled = operations.filter((operation) => !isCalled(operation)).map(({ id }) => id);
    assert.deepEqual(uncalled, []);
  },
});

const withoutLimits = ({ headers }: { headers: Record<string, string> }): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.includes("ratelimit")));
