import assert from "node:assert/strict";
import type { Result } from "../runner/driver.ts";
import { errorBody, type Fault, responding } from "../runner/fault-proxy.ts";
import { Actor, type Bed, expectFailure, expectSuccess, queryOf, type Scenario } from "./scenario.ts";

/** A failure that clients retry at once. */
const busy = responding(503, errorBody("server_error"), { "retry-after": "0" });
const once = { max_retries: 0 };

export const waysOut: Scenario[] = [
  {
    name: "70 extra headers and fields, and a suffix of the User-Agent",
    leftOut: { cli: "a command has the flags of its operation; request sends anything else" },
    run: async (bed) => {
      const { proxy, version } = bed;
      const ownOptions = { headers: { "X-Tenant": "7", "x-trace": "all" }, user_agent_suffix: "my-shop/1.2" };
      const actor = new Actor(bed, "70", ownOptions);
      const call = (operation: string, args: object, options: object) =>
        actor.do("call", { operation, arguments: args, options });

      proxy.begin();
      expectSuccess(
        await call("listBeats", { limit: 2 }, { headers: { "X-Trace": "one" }, query: { sort: "popular" } }),
      );
      const [listRequest] = proxy.requests;
      assert.equal(listRequest?.headers["x-tenant"], "7");
      assert.equal(listRequest?.headers["x-trace"], "one");
      const agent = listRequest?.headers["user-agent"] ?? "";
      assert.ok(agent.startsWith(`beatmarket-${bed.language}/${version}`) && agent.endsWith(" my-shop/1.2"), agent);
      assert.deepEqual(queryOf(listRequest as never), { limit: "2", sort: "popular" });

      proxy.begin();
      const title = `Extra fields of ${bed.language}`;
      expectSuccess(await call("createPlaylist", { title }, { body: { description: "Extra", beat_ids: [] } }));
      assert.deepEqual(JSON.parse(proxy.requests[0]?.body ?? ""), { title, description: "Extra", beat_ids: [] });

      proxy.begin();
      expectSuccess(await actor.do("request", { method: "GET", path: "/genres" }));
      assert.equal(proxy.requests[0]?.headers["x-tenant"], "7");

      proxy.begin();
      const mistakes: [string, object, object, object][] = [
        ["limit", { limit: 2 }, { query: { limit: 3 } }, {}],
        ["title", { title }, { body: { title: "Another" } }, {}],
        ["user-agent", {}, { headers: { "User-Agent": "me" } }, {}],
        ["x-api-key", {}, {}, { headers: { "X-API-Key": "bm_other" } }],
        ["idempotency-key", {}, {}, { headers: { "idempotency-key": "1" } }],
        ["accept", {}, {}, { headers: { Accept: "text/html" } }],
        ["content-type", {}, {}, { headers: { "Content-Type": "text/html" } }],
        ["x-a", {}, {}, { headers: { "X-A": "1\r\nX-Evil: 1" } }],
        ["suffix", {}, {}, { user_agent_suffix: "shop\r\nX-Evil: 1" }],
      ];
      for (const [namedArgument, args, options, client] of mistakes) {
        const operation = "title" in args ? "createPlaylist" : "listBeats";
        const result = await actor.do("call", { operation, arguments: args, options }, client);
        const { text } = expectFailure(result, "BeatMarketError");
        assert.ok(text.toLowerCase().includes(namedArgument), `${text} does not name ${namedArgument}`);
      }
      assert.equal(proxy.requests.length, 0);
    },
  },
  {
    name: "71 hooks, once an attempt",
    leftOut: { cli: "it runs no functions of its user; BEATMARKET_LOG shows each attempt" },
    run: async (bed) => {
      const { proxy, account } = bed;
      const actor = new Actor(bed, "71", { hooks: "record", headers: { "X-Tenant": "7" } });
      proxy.begin((_, index) => (index === 0 ? busy : undefined));
      const { hooks } = expectSuccess(await actor.call("listBeats", { limit: 2 }));
      const facts = (index: number) => ({ method: "GET", path: "/v1/beats", operation: "listBeats", attempt: index });
      const hookFacts = hooks.map(({ request_headers: _, duration_ms: __, ...rest }: Result) => rest);
      const id = proxy.requests[1]?.response?.headers["x-request-id"];
      assert.deepEqual(hookFacts, [
        { hook: "request", ...facts(1) },
        { hook: "response", ...facts(1), status: 503, request_id: null, error: "ServerError" },
        { hook: "request", ...facts(2) },
        { hook: "response", ...facts(2), status: 200, request_id: id, error: null },
      ]);
      for (const { hook, request_headers: headers, duration_ms: durationMs } of hooks) {
        assert.equal(headers["x-tenant"], "7");
        assert.match(headers.authorization, new RegExp(`^Bearer bm_…${account.apiKey.slice(-4)}$`));
        assert.equal(hook === "response", durationMs >= 0);
      }
      assert.ok(!JSON.stringify(hooks).includes(account.apiKey));

      proxy.begin(() => ({ kind: "drop" }));
      const dropped = await actor.do("request", { method: "GET", path: "/genres" }, once);
      expectFailure(dropped, "APIConnectionError");
      const { operation, status, request_id: requestId, error } = dropped.hooks[1];
      assert.deepEqual([operation, status, requestId, error], [null, null, null, "APIConnectionError"]);

      // An error of a hook becomes the error of the call, which is not retried.
      for (const [hooks, requests] of [
        ["request fails", 0],
        ["response fails", 1],
      ] as const) {
        proxy.begin();
        const failed = await actor.call("listGenres", {}, { hooks });
        assert.equal(failed.error?.class, null, hooks);
        assert.match(failed.error.text, /the hook fails/);
        assert.equal(proxy.requests.length, requests, hooks);
      }
    },
  },
  {
    name: "72 BEATMARKET_LOG, and http: where it is allowed",
    leftOut: { cli: "each command is a process of its own, which warns once" },
    run: async (bed) => {
      const { account, proxy } = bed;
      proxy.begin((_, index) => (index === 0 ? busy : undefined));
      const info = await loggedBy(bed, "info", async (actor) => {
        expectSuccess(await actor.call("listGenres"));
      });
      const id = proxy.requests[1]?.response?.headers["x-request-id"];
      const [failed = "", succeeding = "", ...otherLines] = info;
      assert.match(failed, /^beatmarket GET \/v1\/genres 503 \d+ ms - attempt 1$/);
      assert.match(succeeding, new RegExp(`^beatmarket GET /v1/genres 200 \\d+ ms ${id} attempt 2$`));
      assert.deepEqual(otherLines, []);

      proxy.begin();
      const debug = await loggedBy(bed, "debug", async (actor) => {
        expectSuccess(await actor.call("listGenres"));
        // The client refuses plain HTTP unless it is allowed. The host has no address, so an allowed request fails when
        // it connects.
        const plainHttp = { ...once, base_url: "http://marketplace.test/v1" };
        assert.match(
          expectFailure(await actor.call("listGenres", {}, plainHttp), "BeatMarketError").text,
          /allow_?http/i,
        );
        expectFailure(await actor.call("listGenres", {}, { ...plainHttp, allow_http: true }), "APIConnectionError");
      });
      const text = debug.join("\n");
      assert.match(text, new RegExp(`^beatmarket > authorization: Bearer bm_…${account.apiKey.slice(-4)}$`, "im"));
      assert.match(text, /^beatmarket < content-type: application\/json/im);
      assert.match(text, /^beatmarket GET \/v1\/genres APIConnectionError \d+ ms - attempt 1$/m);
      assert.ok(!text.includes(account.apiKey));

      const warnings = await loggedBy(bed, "loud", async (actor) => {
        for (let calls = 0; calls < 2; calls += 1) expectSuccess(await actor.call("listGenres"));
      });
      assert.equal(warnings.length, 1, warnings.join("\n"));
      assert.match(warnings[0] ?? "", /BEATMARKET_LOG.*loud.*info.*debug/);
    },
  },
  {
    name: "73 events as a stream, over cut connections and errors",
    leftOut: { cli: "listen waits for pages of events, which it forwards" },
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "73");
      const parts: Fault[] = [
        streaming(`retry: 10\n\n${event(7)}:\n\n${event(8)}${event(9).slice(0, 40)}`),
        busy,
        { kind: "drop" },
        // The stream has other line ends, a comment, an event without data, and data in two lines.
        streaming(`${event(9).replaceAll("\n", "\r\n")}: quiet\r\n\r\nevent: nothing\n\n${inTwoLines(10)}`),
        streaming(`${event(11)}${event(12)}`),
      ];
      proxy.begin((_, index) => parts[index]);
      const args = { after: 6, type: "beat.purchased" };
      const read = await actor.do("stream_events", { arguments: args, events: 5 });
      assert.deepEqual(read.errors, []);
      assert.deepEqual(read.ids, ["evt_7", "evt_8", "evt_9", "evt_10", "evt_11"]);
      assert.equal(read.position, 11);
      assert.deepEqual(
        proxy.requests.map(({ headers }) => headers["last-event-id"]),
        [undefined, "8", "8", "8", "10"],
      );
      for (const { url, headers } of proxy.requests) {
        assert.match(url, /^\/v1\/events\?/);
        assert.deepEqual(queryOf({ url } as never), { after: "6", type: "beat.purchased" });
        assert.equal(headers.accept, "text/event-stream");
      }

      // Without the proxy, the events come from the service itself.
      const live = bed.startDriver({});
      try {
        const base_url = `${bed.service.origin}/v1`;
        const direct = new Actor({ ...bed, driver: live }, "73", { base_url });
        const streamed = await direct.do("stream_events", {
          arguments: { after: 0, type: "beat.purchased" },
          events: 3,
        });
        assert.deepEqual([streamed.errors, streamed.ids.length], [[], 3]);
      } finally {
        await live.stop();
      }

      // The client retries neither a refused first request nor a refusal that a retry cannot change.
      proxy.begin(() => responding(403, errorBody("forbidden")));
      const refused = await actor.do("stream_events", { arguments: args, events: 1 });
      expectFailure({ error: refused.errors[0] }, "PermissionDeniedError");
      assert.equal(proxy.requests.length, 1);
      proxy.begin((_, index) => (index === 0 ? parts[0] : responding(401, errorBody("unauthorized"))));
      const revoked = await actor.do("stream_events", { arguments: args, events: 5 });
      assert.deepEqual(revoked.ids, ["evt_7", "evt_8"]);
      expectFailure({ error: revoked.errors[0] }, "AuthenticationError");
      proxy.begin(() => responding(200, { status: "success", data: { events: [], next: 7 } }));
      const oddStream = await actor.do("stream_events", { arguments: args, events: 1 }, once);
      expectFailure({ error: oddStream.errors[0] }, "APIStatusError");
    },
  },
];

const bodyOf = (position: number): string =>
  JSON.stringify({ id: `evt_${position}`, created: 1_795_176_000, type: "beat.purchased", data: { title: "Ä" } });

const event = (position: number): string => `id: ${position}\nevent: beat.purchased\ndata: ${bodyOf(position)}\n\n`;

const inTwoLines = (position: number): string =>
  `id:${position}\ndata:${bodyOf(position).replace(/,"type"/, ',\ndata: "type"')}\n\n`;

/** A stream that ends after this text. */
const streaming = (body: string): Fault => ({
  kind: "respond",
  response: { status: 200, headers: { "content-type": "text/event-stream; charset=utf-8" }, body },
});

/** The lines that a separate driver writes to standard error. */
async function loggedBy(bed: Bed, level: string, act: (actor: Actor) => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const noProxy = { HTTP_PROXY: "", http_proxy: "", NO_PROXY: "*", no_proxy: "*" };
  const driver = bed.startDriver({ ...noProxy, BEATMARKET_LOG: level }, (line) => void lines.push(line));
  try {
    await act(new Actor({ ...bed, driver }, "72"));
  } finally {
    await driver.stop();
  }
  return lines.filter((line) => line !== "");
}
