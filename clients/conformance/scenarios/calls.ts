import assert from "node:assert/strict";
import type { Result } from "../runner/driver.ts";
import { errorBody, type Fault, responding } from "../runner/fault-proxy.ts";
import { Actor, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

const once = { max_retries: 0 };
const dropped: Fault = { kind: "drop" };

/** The first 200 characters of a page, on one line. */
const pageStart = `${[..."<html> <title>Bad gateway</title>".concat("é😀".repeat(200))].slice(0, 200).join("")}…`;

export const calls: Scenario[] = [
  {
    name: "54 a 204 has no body, and is an error for a method with a result",
    run: async (bed) => {
      const actor = new Actor(bed, "54");
      for (const method of ["GET", "POST", "DELETE"]) {
        bed.proxy.begin(() => responding(204, "", { "x-request-id": "req_204" }));
        const { value, meta } = expectSuccess(await actor.do("request", { method, path: "/beats/1" }));
        assert.equal(value, null);
        assert.deepEqual([meta.status, meta.request_id, meta.rate_limit], [204, "req_204", null]);
        assert.equal(bed.proxy.requests.length, 1);
      }
      bed.proxy.begin(() => responding(204, ""));
      expectFailure(await actor.call("getBeat", { beat_id: 1 }), "APIStatusError");
    },
  },
  {
    name: "55 mistakes in arguments",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "55");
      const order = { beat_id: 1, payment_method: "pm_card_visa" };
      /** Normalizes a name: languages write idempotency_key, idempotencyKey and Idempotency-Key. */
      const normalizedName = (text: string): string => text.toLowerCase().replace(/[-_]/g, "");
      const expectMistake = (result: Result, label: string, namedArgument = ""): void => {
        // The compiler of Go detects mistakes in types before a program runs.
        if (bed.language === "go" && result.uncompilable !== undefined) return;
        assert.ok(result.error, `${label}: expected an error`);
        const error = expectFailure(result, "BeatMarketError");
        assert.notEqual(error.is_synchronous, true, `${label}: it was thrown synchronously`);
        assert.ok(
          normalizedName(error.text).includes(normalizedName(namedArgument)),
          `${label}: ${error.text} does not name ${namedArgument}`,
        );
      };
      proxy.begin();
      const invalidCalls: [string, object, string?][] = [
        ["getBeat", { beat_id: "" }],
        ["getUser", { user_id: ".." }],
        ["getOrder", { order_id: "" }],
        ["getUpload", { upload_id: "" }],
        ["getEvent", { event_id: "" }],
        ["getRequest", { request_id: "" }],
        ["listSimilarBeats", { beat_id: "." }],
        ["updateBeat", { beat_id: "", price: 2 }],
        ["withdrawBeat", { beat_id: "" }],
        ["listOrderFiles", { order_id: "" }],
        ["retryUpload", { upload_id: ".." }],
        ["deleteUpload", { upload_id: "" }],
        // Values that would begin another header or another request.
        ["createOrder", { ...order, idempotency_key: "a\r\nX-Evil: 1" }, "idempotency_key"],
        ["createOrder", { ...order, idempotency_key: "a\nX-Evil: 1" }, "idempotency_key"],
        ["createOrder", { ...order, idempotency_key: "a\n" }, "idempotency_key"],
        ["createOrder", { ...order, idempotency_key: " a" }, "idempotency_key"],
        ["updateBeat", { beat_id: 1, price: 2, if_match: '"v1"\r\nX-Evil: 1' }, "if_match"],
        ["updateBeat", { beat_id: 1, price: 2, if_match: "" }, "if_match"],
        ["listBeats", { max_items: -1 }, "max_items"],
        // The comma would split the value into two tags.
        ["listBeats", { tag: ["dark, warm", "808"] }],
      ];
      for (const [operation, args, namedArgument] of invalidCalls)
        expectMistake(await actor.call(operation, args), `${operation} ${JSON.stringify(args)}`, namedArgument);
      for (const headers of [
        { "X-A": "b\r\nX-Evil: 1" },
        { "X-A": "b\n" },
        { "X-A": "\r\nb" },
        { "Idempotency-Key": "a\n" },
      ])
        for (const [method, path] of [
          ["GET", "/beats"],
          ["POST", "/orders"],
        ])
          expectMistake(
            await actor.do("request", { method, path, headers }),
            JSON.stringify(headers),
            Object.keys(headers)[0],
          );
      const { errors } = await actor.iterate("listBeats", {}, { max_items: -1 });
      expectMistake({ error: errors[0] }, "max_items", "max_items");
      assert.equal(proxy.requests.length, 0);
    },
  },
  {
    name: "56 a time limit and retries for one call",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "56");
      const callWith = (options: object, client: object = {}): Promise<Result> =>
        actor.do("call", { operation: "getBeat", arguments: { beat_id: bed.facts.beats[0] }, options }, client);
      proxy.begin(() => ({ kind: "stall", after: "headers" }));
      expectFailure(await callWith({ timeout_seconds: 3, max_retries: 0 }), "APITimeoutError");
      assert.equal(proxy.requests.length, 1);
      // An option that the call omits has the client's value.
      proxy.begin(() => ({ kind: "stall", after: "nothing" }));
      expectFailure(await callWith({ timeout_seconds: 3 }, { max_retries: 1 }), "APITimeoutError");
      assert.equal(proxy.requests.length, 2);
      proxy.begin(() => dropped);
      expectFailure(await callWith({ max_retries: 0 }), "APIConnectionError");
      assert.equal(proxy.requests.length, 1);
      proxy.begin((_, index) => (index === 0 ? dropped : undefined));
      expectSuccess(await callWith({ max_retries: 1 }, once));
      assert.equal(proxy.requests.length, 2);
      proxy.begin(() => dropped);
      expectFailure(await callWith({}, once), "APIConnectionError");
      assert.equal(proxy.requests.length, 1);
      proxy.begin();
      for (const options of [{ timeout_seconds: 0 }, { timeout_seconds: -1 }, { max_retries: -1 }])
        expectFailure(await callWith(options), "BeatMarketError");
      assert.equal(proxy.requests.length, 0);
    },
  },
  {
    name: "58 the idempotency key of an error",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "58");
      const order = { beat_id: bed.facts.beats[0], payment_method: "pm_card_visa" };
      const faults: [string, Fault, object][] = [
        ["APIConnectionError", dropped, {}],
        ["APITimeoutError", { kind: "stall", after: "nothing" }, { timeout_seconds: 3 }],
        ["ServerError", responding(502, "<html>"), {}],
        ["APIStatusError", responding(201, "<html>"), {}],
        ["InvalidRequestError", responding(409, errorBody("invalid_request")), {}],
      ];
      for (const [name, fault, client] of faults)
        for (const ownKey of [undefined, `key-${bed.language}`]) {
          proxy.begin(() => fault);
          const failed = await actor.call("createOrder", { ...order, idempotency_key: ownKey }, { ...once, ...client });
          const error = expectFailure(failed, name);
          const sentKey = proxy.requests[0]?.headers["idempotency-key"];
          assert.ok(sentKey, `${name}: no key was sent`);
          if (ownKey !== undefined) assert.equal(sentKey, ownKey);
          assert.equal(error.idempotency_key, sentKey, name);
          proxy.begin(() => fault);
          const read = expectFailure(await actor.call("getBeat", { beat_id: 1 }, { ...once, ...client }), name);
          assert.equal(read.idempotency_key, null, name);
        }
      proxy.begin(() => dropped);
      const raw = await actor.do("request", { method: "POST", path: "/orders", body: order }, once);
      assert.equal(
        expectFailure(raw, "APIConnectionError").idempotency_key,
        proxy.requests[0]?.headers["idempotency-key"],
      );
    },
  },
  {
    name: "59 the message of an error",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "59");
      const texts: [Fault, string][] = [
        [
          responding(409, errorBody("invalid_request", "Conflict", "This beat is sold."), { "x-request-id": "req_1" }),
          "409 invalid_request: Conflict: This beat is sold. (request req_1)",
        ],
        [responding(404, errorBody("not_found", "Not found", "é 😀")), "404 not_found: Not found: é 😀"],
        [
          responding(418, { status: "error", error: { code: "teapot", message: "Short" } }, { "x-request-id": "r" }),
          "418 teapot: Short (request r)",
        ],
      ];
      for (const [fault, text] of texts) {
        proxy.begin(() => fault);
        const { error } = await actor.call("getBeat", { beat_id: 1 }, once);
        assert.equal(error?.text, text);
      }
      // For a response of another program, the message names its type and shows its beginning.
      const page = `\n<html>\r\n\t<title>Bad \0 gateway</title>${"é😀".repeat(200)}`;
      const foreign: [string, Record<string, string>, string][] = [
        [
          page,
          { "content-type": "Text/HTML; charset=utf-8", "x-request-id": "req_2" },
          `text/html: ${pageStart} (request req_2)`,
        ],
        ["no healthy upstream", { "content-type": "" }, "no content type: no healthy upstream"],
        ["", { "content-type": "text/plain" }, "text/plain: no body"],
        ['{"message": 7}', {}, 'application/json: {"message": 7}'],
      ];
      for (const [body, headers, text] of foreign) {
        proxy.begin(() => responding(502, body, headers));
        const { error } = await actor.call("getBeat", { beat_id: 1 }, once);
        assert.equal(error?.text, `502: The response is not the API's: ${text}`);
      }
      proxy.begin(() => responding(200, "<html>", { "content-type": "text/html" }));
      const { error: website } = await actor.call("getBeat", { beat_id: 1 }, once);
      assert.equal(website?.text, "200: The response is not the API's: text/html: <html>");
      // Errors of the service itself.
      proxy.begin();
      const orderFields = { beat_id: 99_999_999, payment_method: "pm_card_visa" };
      for (const [operation, args] of [
        ["getBeat", { beat_id: 99_999_999 }],
        ["createOrder", orderFields],
        ["listBeats", { limit: 999, genre: facts.genre }],
      ] as const) {
        const { error } = await actor.call(operation, args);
        const { status, code, message, details, request_id } = error;
        assert.equal(error.text, `${status} ${code}: ${message}: ${details} (request ${request_id})`);
      }
    },
  },
  {
    name: "62 white space in keys and base URLs",
    run: async (bed) => {
      const { account, facts, proxy } = bed;
      const actor = new Actor(bed, "62");
      const call = (client: object): Promise<Result> => actor.call("getBeat", { beat_id: facts.beats[0] }, client);
      const baseUrl = `${proxy.origin}/v1`;
      // White space that files and variables often contain at their ends.
      for (const whiteSpace of ["\n", "\r\n", " \t", "\v\f"]) {
        proxy.begin();
        const text = `${whiteSpace}${account.apiKey}${whiteSpace}`;
        expectSuccess(await call({ api_key: text, base_url: `${whiteSpace}${baseUrl}${whiteSpace}` }));
        assert.equal(proxy.requests[0]?.headers.authorization, `Bearer ${account.apiKey}`);
      }
      proxy.begin();
      const { apiKey } = account;
      const keyWithInside = (label: string): string => `${apiKey.slice(0, 9)}${label}${apiKey.slice(9)}`;
      const keys = [
        "",
        "\n",
        keyWithInside("\n"),
        keyWithInside("\r\nX-Evil: 1"),
        keyWithInside(" "),
        keyWithInside("\0"),
        `${apiKey}\u00a0`,
        `\ufeff${apiKey}`,
      ];
      for (const key of keys) {
        const error = expectFailure(await call({ api_key: key }), "BeatMarketError");
        assert.ok(!error.text.includes(apiKey.slice(9)), `the error of ${JSON.stringify(key)} shows the key`);
      }
      for (const url of [
        baseUrl.replace("https", "ht\ntps"),
        baseUrl.replace("/v1", "\n/v1"),
        `${baseUrl} /x`,
        `${baseUrl}\u00a0`,
      ])
        expectFailure(await call({ base_url: url }), "BeatMarketError");
      assert.equal(proxy.requests.length, 0);
    },
  },
];
