import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { APIConnectionError, BeatMarket, BeatMarketError, type Options } from "beatmarket";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

const envelope = (data: unknown) => Response.json({ status: "success", data });
const page = (ids: unknown[], next: number | null) =>
  envelope({
    beats: ids.map((id) => (typeof id === "number" ? { id } : id)),
    pagination: { total: 9, next_page_url: next === null ? null : `https://api.example.com/v1/beats?page=${next}` },
  });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json(
    { status: "error", error: { code: "invalid_request", message: "No", details: "Why." } },
    { status, headers },
  );

/** A client that gets these responses in order, and the requests that it sent. */
function clientReturning(responses: (Response | Error)[], options: Options = {}) {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const fetch = async (url: URL, { headers }: RequestInit) => {
    sent.push({ url: url.href, headers: headers as Record<string, string> });
    await new Promise(setImmediate); // Like a network: the caller's frame is no longer on the stack.
    const response = responses.shift() ?? new Error("nothing more was expected");
    if (response instanceof Error) throw response;
    return response;
  };
  const settings = { apiKey: "bm_1", baseUrl: "https://api.example.com/v1", maxRetries: 0, ...options };
  return { sent, client: new BeatMarket({ fetch: fetch as never, ...settings }) };
}

afterEach(() => vi.unstubAllEnvs());

const calls: [string, (client: BeatMarket) => Promise<unknown>][] = [
  [
    "a call",
    async function theCaller(client) {
      await client.beats.get(1);
    },
  ],
  [
    "a call with its response",
    async function theCaller(client) {
      await client.beats.get(1).withResponse();
    },
  ],
  [
    "an awaited list",
    async function theCaller(client) {
      await client.beats.list();
    },
  ],
  [
    "for await",
    async function theCaller(client) {
      for await (const _ of client.beats.list());
    },
  ],
  [
    "for await over pages",
    async function theCaller(client) {
      for await (const _ of client.beats.list().pages());
    },
  ],
  [
    "a followed feed",
    async function theCaller(client) {
      for await (const _ of client.changes.follow());
    },
  ],
  [
    "a raw request",
    async function theCaller(client) {
      await client.request("GET", "/beats");
    },
  ],
  [
    "many beats",
    async function theCaller(client) {
      await client.beats.getMany([1]);
    },
  ],
  [
    "an upload",
    async function theCaller(client) {
      await client.uploads.upload(new Uint8Array(1), { kind: "audio" });
    },
  ],
  [
    "the wait for an upload",
    async function theCaller(client) {
      await client.uploads.wait("upl_1");
    },
  ],
  [
    "a download",
    async function theCaller(client) {
      await client.orders.download(1, "mp3", "a.mp3");
    },
  ],
  [
    "an export",
    async function theCaller(client) {
      await client.exports.beats();
    },
  ],
  [
    "a wrong argument",
    async function theCaller(client) {
      await client.beats.get("");
    },
  ],
];

test.each(calls)("the stack of an error of %s has the caller's frame", async (_, call) => {
  const { client } = clientReturning([refusal(400)]);
  const error = await call(client).catch((error) => error);
  expect(error).toBeInstanceOf(BeatMarketError);
  expect((error as Error).stack).toMatch(/^\w+Error: .*\n.*[\s\S]* theCaller .*conduct\.test/);
});

test("the stack of a failure on a later page has the caller's frame", async () => {
  const { client } = clientReturning([page([1], 2), page([2], 3), refusal(400)]);
  const seen: number[] = [];
  const theCaller = async () => {
    for await (const { id } of client.beats.list()) seen.push(id);
  };
  const error = await theCaller().catch((error) => error);
  expect(seen).toEqual([1, 2]);
  expect((error as Error).stack).toMatch(/theCaller .*conduct\.test/);
});

const mistakes: [string, (client: BeatMarket) => PromiseLike<unknown>][] = [
  ["an empty id", (client) => client.beats.get("")],
  ["no id", (client) => client.orders.get(undefined as never)],
  ["a key with a space", (client) => client.orders.create({} as never, { idempotencyKey: "a b" })],
  ["a maxItems that is not a number", (client) => client.beats.list({ maxItems: "3" as never })],
  ["a negative number of retries", (client) => client.genres.list({ maxRetries: -1 })],
  ["a time limit that is not a number", (client) => client.genres.list({ timeoutMs: "5" as never })],
  ["a file that does not exist", (client) => client.uploads.upload("absent.wav", { kind: "audio" })],
  ["parts of no size", (client) => client.uploads.upload(new Uint8Array(1), { kind: "audio", partBytes: 0 })],
  ["an empty method", (client) => client.request("", "/beats")],
  ["an empty upload id", (client) => client.uploads.resume("", new Uint8Array(1))],
];

test.each(mistakes)("%s rejects, and nothing is thrown or sent", async (_, call) => {
  const { sent, client } = clientReturning([]);
  const calling = call(client);
  await expect(calling).rejects.toThrow(BeatMarketError);
  expect(sent).toEqual([]);
});

test("null as options or as a query counts as absent", async () => {
  const { client } = clientReturning([page([1], null), envelope({ beat: { id: 1 } })]);
  expect((await client.beats.list(null as never, null as never)).data).toEqual([{ id: 1 }]);
  expect(await client.beats.get(1, null as never)).toEqual({ id: 1 });
});

test("an awaited page is iterable and leads to the next one", async () => {
  const { sent, client } = clientReturning([page([1, 2], 2), page([3], null)]);
  const first = await client.beats.list({ limit: 2 });
  expect([...first]).toEqual([{ id: 1 }, { id: 2 }]);
  expect([first.hasNextPage, first.total, Object.keys(first).sort()]).toEqual([
    true,
    9,
    ["data", "pagination", "response", "total"],
  ]);
  const second = await first.nextPage();
  expect([second?.data, second?.hasNextPage]).toEqual([[{ id: 3 }], false]);
  expect(await second?.nextPage()).toBeNull();
  expect(sent.map(({ url }) => url.split("?")[1])).toEqual(["limit=2", "page=2"]);
});

test("maxItems limits the data of awaited pages, and not their total", async () => {
  const { sent, client } = clientReturning([page([1, 2], 2), page([3, 4], 3)]);
  const first = await client.beats.list({ maxItems: 3 });
  const second = await first.nextPage();
  expect([first.data.length, second?.data, second?.total]).toEqual([2, [{ id: 3 }], 9]);
  expect(await second?.nextPage()).toBeNull();
  expect(sent).toHaveLength(2);
});

test("a search has its beats and producers within maxItems, and both as data", async () => {
  const pagination = { total: 4, next_page_url: null };
  const data = { beats: [{ id: 1 }, { id: 2 }], producers: [{ id: 3 }, { id: 4 }], pagination, totals: {} };
  const { client } = clientReturning([envelope(data)]);
  const { beats, producers, data: all } = await client.search("a", { maxItems: 3 });
  expect([beats, producers, all.map(({ id }) => id)]).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }], [1, 2, 3]]);
});

test("fields of an undocumented type are returned unchanged", async () => {
  const odd = { id: "one", amount: "29.90", beat: null, next_action: [], created_at: 5 };
  const list = { orders: [odd, null, "x"], pagination: { total: "many", next_page_url: null, per_page: null } };
  const { client } = clientReturning([envelope({ order: odd }), envelope(list), envelope(list)]);
  expect(await client.orders.create({ beat_id: 1, payment_method: "pm" })).toEqual(odd);
  expect((await client.orders.list()).data).toEqual(list.orders);
  const items = [];
  for await (const order of client.orders.list()) items.push(order);
  expect(items).toEqual(list.orders);
});

test("a response without its result is an error for a read, and not for a change, which was made", async () => {
  const { client } = clientReturning([envelope({ order: null }), envelope({}), envelope({ order: null })]);
  expect(await client.orders.create({ beat_id: 1, payment_method: "pm" })).toEqual({});
  expect(await client.users.updateProfile({ bio: null })).toEqual({});
  await expect(client.orders.get(1)).rejects.toThrow("200: The response has an unknown form: it has no order.");
});

test("the error of a proxy's response has its headers, its content type and the beginning of its body", async () => {
  const headers = { "content-type": "Text/HTML; charset=utf-8", via: "1.1 proxy" };
  const page = `<html>\r\n<h1>Bad gateway</h1> ${"é".repeat(300)}`;
  const { client } = clientReturning([new Response(page, { status: 502, headers })]);
  const error = await client.beats.get(1).catch((error) => error);
  expect(error.headers.get("via")).toBe("1.1 proxy");
  expect([error.contentType, error.excerpt]).toEqual(["text/html", `<html> <h1>Bad gateway</h1> ${"é".repeat(172)}…`]);
  expect(error.message).toBe(`502: The response is not the API's: text/html: ${error.excerpt}`);
  expect(inspect(error)).not.toContain("1.1 proxy");
});

test("getMany requests a repeated id once", async () => {
  const { client, sent } = clientReturning([envelope({ beats: [], pagination: {}, missing: [1, 2] })]);
  expect(await client.beats.getMany([1, 2, 1])).toEqual({ beats: [], missing: [1, 2] });
  expect(sent.map(({ url }) => new URL(url).searchParams.get("ids"))).toEqual(["1,2"]);
});

test("the body of a 204 to a raw request is null, and an empty 200 is an error", async () => {
  const { client } = clientReturning([new Response(null, { status: 204 }), new Response("", { status: 200 })]);
  expect(await client.request("DELETE", "/uploads/upl_1")).toMatchObject({ status: 204, body: null });
  await expect(client.request("GET", "/beats")).rejects.toThrow(
    "200: The response is not the API's: text/plain: no body",
  );
});

test.each([
  ["given", { idempotencyKey: "mine" }],
  ["generated", {}],
])(
  "every error of a request with a %s idempotency key has the key, and the error of a read has null",
  async (_, options) => {
    const { sent, client } = clientReturning([refusal(409), new TypeError("fetch failed"), refusal(400)]);
    const buy = () => client.orders.create({ beat_id: 1, payment_method: "pm" }, options).catch((error) => error);
    const errors = [await buy(), await buy()];
    expect(errors.map(({ name }) => name)).toEqual(["InvalidRequestError", "APIConnectionError"]);
    expect(errors.map((error) => error.idempotencyKey)).toEqual(sent.map(({ headers }) => headers["idempotency-key"]));
    expect(errors[0].idempotencyKey).toBeTruthy();
    const read = await client.beats.get(1).catch((error) => error);
    expect(read.idempotencyKey).toBeNull();
  },
);

test.each(["SELF_SIGNED_CERT_IN_CHAIN", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID"])(
  "a call is not retried if the certificate is not trusted (%s), and the error says what to set",
  async (code) => {
    const cause = Object.assign(new Error("no"), { code });
    const { sent, client } = clientReturning([new TypeError("fetch failed", { cause })], { maxRetries: 2 });
    const error = await client.genres.list().catch((error) => error);
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(error.message).toMatch(/certificate of the server is not trusted \(no\).*BEATMARKET_CA_FILE/);
    expect(sent).toHaveLength(1);
  },
);

test("HTTP_PROXY and NO_PROXY are honoured", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    seen.push(url);
    response.end(JSON.stringify({ status: "success", data: { genres: [] } }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("HTTP_PROXY", origin);
  await new BeatMarket({ apiKey: "bm_1", baseUrl: "http://localhost:1/v1" }).genres.list();
  vi.stubEnv("NO_PROXY", "127.0.0.1");
  await new BeatMarket({ apiKey: "bm_1", baseUrl: `${origin}/v1` }).genres.list();
  expect(seen).toEqual(["http://localhost:1/v1/genres", "/v1/genres"]);
});

const exported = gzipSync('{"id":1}\n{"id":2,"title":"Zwei ä"}\n');
const part = (status: number, from: number, to: number, position = "7") => {
  const bytes = exported.subarray(from, to);
  let isSent = false;
  const body = new ReadableStream({
    pull: (controller) => {
      if (!isSent) controller.enqueue(new Uint8Array(bytes));
      else if (to < exported.length) controller.error(new Error("cut off"));
      else controller.close();
      isSent = true;
    },
  });
  const range = { "content-range": `bytes ${from}-${exported.length - 1}/${exported.length}` };
  const headers = { etag: `"${position}"`, "x-change-position": position, ...(status === 206 && range) };
  return new Response(body, { status, headers });
};

test("an export without a path is read as it arrives, and resumes after a lost connection", async () => {
  vi.spyOn(Math, "random").mockReturnValue(-0.99);
  const parts = [part(200, 0, 20), part(206, 19, 30), part(206, 29, exported.length)];
  const { sent, client } = clientReturning(parts, { maxRetries: 1 });
  const beats = await client.exports.beats();
  expect([beats.position, beats.path]).toEqual([7, undefined]);
  const ids = [];
  for await (const { id } of beats) ids.push(id);
  expect(ids).toEqual([1, 2]);
  expect(sent.map(({ headers }) => headers.range)).toEqual([undefined, "bytes=19-", "bytes=29-"]);
  await expect(beats[Symbol.asyncIterator]().next()).rejects.toThrow("give exports.beats a path");
});

test("reading an export rejects if a newer one replaces it", async () => {
  vi.spyOn(Math, "random").mockReturnValue(-0.99);
  const { client } = clientReturning([part(200, 0, 20), part(200, 0, exported.length, "8")], { maxRetries: 1 });
  const beats = client.exports.beats();
  const reading = async () => {
    for await (const _ of beats);
  };
  await expect(reading()).rejects.toThrow("begin again");
});

test.each<[string, (client: BeatMarket) => unknown]>([
  [
    "an idempotency key that is not a string",
    (client) => client.orders.create({ beat_id: 1, payment_method: "x" }, { idempotencyKey: 5 as never }),
  ],
  ["an etag that is not a string", (client) => client.beats.update(1, { title: "x" }, { ifMatch: 5 as never })],
  [
    "a misspelt option",
    (client) => client.orders.create({ beat_id: 1, payment_method: "x" }, { idempotency_key: "k" } as never),
  ],
  ["a misspelt option of a list", (client) => client.beats.list({}, { timeout: 5 } as never)],
  ["a misspelt option of a request", (client) => client.request("GET", "/beats", { params: {} } as never)],
  ["options that are a number", (client) => client.beats.get(1, 5 as never)],
  ["a query that is a number", (client) => client.beats.list(5 as never)],
  ["a query that is a list", (client) => client.request("GET", "/beats", { query: [1] as never })],
  ["an invalid Date", (client) => client.beats.list({ created_after: new Date(Number.NaN) })],
  ["ids that are null", (client) => client.beats.getMany(null as never)],
  ["ids that are a number", (client) => client.beats.getMany(1 as never)],
  ["a body with a BigInt", (client) => client.request("POST", "/orders", { body: { beat_id: 1n } })],
  ["a body that is a function", (client) => client.request("POST", "/orders", { body: () => 1 })],
  ["a method that is null", (client) => client.request(null as never, "/beats")],
  ["a file that is a number", (client) => client.uploads.upload(5 as never, { kind: "audio" })],
  ["no file", (client) => client.uploads.upload(null as never, { kind: "audio" })],
  ["an upload without a kind", (client) => client.uploads.upload(new Uint8Array(1), {} as never)],
  ["an upload without options", (client) => client.uploads.upload(new Uint8Array(1), undefined as never)],
  [
    "a filename that is not a string",
    (client) => client.uploads.upload(new Uint8Array(1), { kind: "audio", filename: 5 as never }),
  ],
])("%s is refused before anything is sent", async (_, call) => {
  const { client, sent } = clientReturning([]);
  await expect(call(client)).rejects.toSatisfy((error: Error) => error.constructor === BeatMarketError);
  expect(sent).toEqual([]);
});

test("null for an option counts as absent", async () => {
  const { client, sent } = clientReturning([envelope({ order: { id: 1 } }), envelope({ beats: [] })]);
  await client.orders.create({ beat_id: 1, payment_method: "x" }, { idempotencyKey: null, signal: null } as never);
  expect(sent[0]?.headers["idempotency-key"]).toHaveLength(36);
  expect((await client.request("GET", "/beats", null)).status).toBe(200);
});

test.each([{ timeout: 5 }, { api_key: "bm_1" }, { logger: 5 }])("the client refuses the options %j", (options) => {
  expect(() => new BeatMarket({ apiKey: "bm_1", ...(options as never as Options) })).toThrow(BeatMarketError);
});

test("a logger gets the line of a call with an error response", async () => {
  const lines: string[] = [];
  const logger = { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  const { client } = clientReturning([refusal(404, { "x-request-id": "req_1" })], { logger });
  await expect(client.beats.get(1)).rejects.toThrow("404");
  expect(lines).toEqual([
    expect.stringMatching(/^beatmarket: GET https:.*\/beats\/1: 404 in \d+ ms, request id req_1$/),
  ]);
});
