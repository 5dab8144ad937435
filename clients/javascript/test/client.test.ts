import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  BeatMarket,
  BeatMarketError,
  NotFoundError,
  type Options,
  RateLimitError,
} from "beatmarket";
import { afterEach, expect, test, vi } from "vitest";

const envelope = (data: object) => JSON.stringify({ status: "success", data });
const beats = (ids: number[], next: string | null = null, total = 100) =>
  envelope({ beats: ids.map((id) => ({ id })), pagination: { total, next_page_url: next } });
const refusal = (code: string) =>
  JSON.stringify({ status: "error", error: { code, message: "Not found", details: "There is no beat 9." } });

const certificates = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n";

interface Sent {
  url: URL;
  init: RequestInit;
}

/** A client whose fetch returns these responses in order, and the requests it sent. */
function clientReturning(
  responses: (Response | Error | (() => Response | Promise<Response>))[],
  options: Options = {},
) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, init: RequestInit) => {
    sent.push({ url, init });
    const response = responses.shift();
    if (response === undefined) throw new Error("nothing more was expected");
    if (response instanceof Error) throw response;
    return typeof response === "function" ? response() : response;
  };
  const baseUrl = "https://api.example.com/v1/";
  return { sent, client: new BeatMarket({ apiKey: "bm_secret", baseUrl, fetch: fetch as never, ...options }) };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([
  ["no key", { apiKey: undefined }, /BEATMARKET_API_KEY/],
  ["an empty key", { apiKey: "" }, /BEATMARKET_API_KEY/],
  ["a key with a line break within", { apiKey: "bm_\n1" }, /line break/],
  ["an invalid base URL", { apiKey: "bm_1", baseUrl: "example.com" }, /takes a URL/],
  ["a base URL with a query", { apiKey: "bm_1", baseUrl: "https://example.com/v1?a" }, /takes a URL/],
  ["plain HTTP to another machine", { apiKey: "bm_1", baseUrl: "http://example.com/v1" }, /use https/],
  ["a time limit of 0", { apiKey: "bm_1", timeoutMs: 0 }, /timeoutMs is 0/],
  ["a negative number of retries", { apiKey: "bm_1", maxRetries: -1 }, /maxRetries is -1/],
  ["a CA file and a fetch", { apiKey: "bm_1", caFile: "ca.pem", fetch }, /exclude each other/],
  ["a CA file and certificates", { apiKey: "bm_1", caFile: "ca.pem", ca: certificates }, /exclude each other/],
  ["certificates that are not PEM", { apiKey: "bm_1", ca: "ca.pem" }, /PEM form/],
])("the constructor throws for %s", (_, options, message) => {
  vi.stubEnv("BEATMARKET_API_KEY", undefined);
  expect(() => new BeatMarket(options)).toThrow(BeatMarketError);
  expect(() => new BeatMarket(options)).toThrow(message);
});

test("removes white space around the API key and the base URL", async () => {
  const options = { apiKey: " bm_1\r\n", baseUrl: "\thttps://spaced.example.com/v1\n" };
  const { sent, client } = clientReturning([new Response(beats([1]))], options);
  await client.beats.list();
  expect(sent[0]?.url.href).toBe("https://spaced.example.com/v1/beats");
  expect(sent[0]?.init.headers).toMatchObject({ authorization: "Bearer bm_1" });
});

test("reads the API key and the base URL from the environment", async () => {
  vi.stubEnv("BEATMARKET_API_KEY", "bm_environment");
  vi.stubEnv("BEATMARKET_BASE_URL", "https://environment.example.com/v1");
  const { sent, client } = clientReturning([new Response(beats([1]))], { apiKey: undefined, baseUrl: undefined });
  await client.beats.list();
  expect(String(sent[0]?.url)).toBe("https://environment.example.com/v1/beats");
  expect(sent[0]?.init.headers).toMatchObject({ authorization: "Bearer bm_environment" });
});

test("refuses to run in a browser unless dangerouslyAllowBrowser is true", () => {
  vi.stubGlobal("document", {});
  expect(() => new BeatMarket({ apiKey: "bm_1" })).not.toThrow(); // Node with a DOM, as in tests.
  vi.stubGlobal("process", undefined);
  expect(() => new BeatMarket({ apiKey: "bm_1" })).toThrow(/everybody who opens the page/);
  expect(() => new BeatMarket({ apiKey: "bm_1", dangerouslyAllowBrowser: true })).not.toThrow();
});

test("refuses a CA file on a runtime that only has fetch, and says why", () => {
  vi.stubGlobal("Deno", { version: { deno: "2.0.0" } });
  expect(() => new BeatMarket({ apiKey: "bm_1", caFile: "ca.pem" })).toThrow(/on Node only.*DENO_CERT/);
});

test.each([certificates, new TextEncoder().encode(certificates)])(
  "passes the certificates to the fetch option (%#)",
  async (ca) => {
    const { sent, client } = clientReturning([new Response(envelope({ genres: [] }))], { ca });
    await client.genres.list();
    expect(sent[0]?.init).toMatchObject({ tls: { ca: certificates } });
  },
);

const { BEATMARKET_TEST_BASE_URL, BEATMARKET_TEST_API_KEY, BEATMARKET_TEST_CA_FILE = "" } = process.env;
test.skipIf(BEATMARKET_TEST_BASE_URL === undefined && process.env.CI !== "true")(
  "trusts the certificates of ca instead of the system's",
  async () => {
    const options = { apiKey: BEATMARKET_TEST_API_KEY, baseUrl: BEATMARKET_TEST_BASE_URL, maxRetries: 0 };
    const ca = await readFile(BEATMARKET_TEST_CA_FILE);
    expect(await new BeatMarket({ ...options, ca }).genres.list()).not.toEqual([]);
    await expect(new BeatMarket(options).genres.list()).rejects.toThrow(/certificate/);
  },
);

test("reports an invalid CA file at the first call, and reads it again at the next", async () => {
  const file = join(import.meta.dirname, "later.pem");
  const client = new BeatMarket({ apiKey: "bm_1", caFile: file, baseUrl: "https://localhost:1/v1", maxRetries: 0 });
  await expect(client.genres.list()).rejects.toThrow(/cannot be read/);
  await writeFile(file, "nothing");
  await expect(client.genres.list()).rejects.toThrow(/no certificate in PEM form/);
  await writeFile(file, certificates);
  await expect(client.genres.list()).rejects.toThrow(APIConnectionError);
});

test("the message of an error has status, code, reason, details and request id", async () => {
  const headers = { "x-request-id": "req-1" };
  const { client } = clientReturning([new Response(refusal("not_found"), { status: 404, headers })]);
  const error = await client.beats.get(9).catch((error) => error);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toBe("404 not_found: Not found: There is no beat 9. (request req-1)");
  expect(error.reason).toBe("Not found");
  const whole = `NotFoundError: ${error.message}`;
  expect(String(error)).toBe(whole);
  expect(inspect(error)).toContain(whole);
});

test("reports a rejection only on the promise that was used", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const { client } = clientReturning([
    new Response(refusal("not_found"), { status: 404 }),
    new Response(refusal("not_found"), { status: 404 }),
  ]);
  await expect(client.beats.get(9).withResponse()).rejects.toThrow(NotFoundError);
  await client.beats.list().catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("rejects an aborted call with the signal's reason, without a retry", async () => {
  const { sent, client } = clientReturning([new Response("", { status: 503, headers: { "retry-after": "30" } })]);
  const abort = new AbortController();
  const calling = client.genres.list({ signal: abort.signal });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  abort.abort(new Error("enough"));
  await expect(calling).rejects.toThrow("enough");
  expect(sent).toHaveLength(1);
  await expect(client.genres.list({ signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  expect(sent).toHaveLength(1);
});

test("accepts a timeout and retries per call", async () => {
  const never = (_: URL, { signal }: RequestInit) =>
    new Promise((__, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const client = new BeatMarket({ apiKey: "bm_1", fetch: never as never });
  await expect(client.genres.list({ timeoutMs: 5, maxRetries: 0 })).rejects.toThrow(APITimeoutError);
});

test("ignores a Retry-After in the past, and gives up on one above the limit", async () => {
  const past = new Response(refusal("rate_limit_exceeded"), {
    status: 429,
    headers: { "retry-after": "Fri, 01 Jan 2021 00:00:00 GMT" },
  });
  const { client } = clientReturning([past], { maxRetries: 0 });
  expect(await client.genres.list().catch((error) => error.retryAfterSeconds)).toBeNull();
  const long = new Response("{}", { status: 429, headers: { "retry-after": "2" } });
  const hasty = clientReturning([long], { maxRetryAfterMs: 1_999 });
  await expect(hasty.client.genres.list()).rejects.toThrow(RateLimitError);
});

test("yields each item once and in order for concurrent next() calls", async () => {
  const { client } = clientReturning([
    new Response(beats([1, 2], "https://api.example.com/v1/beats?page=2")),
    new Response(beats([3])),
  ]);
  const items = client.beats.list()[Symbol.asyncIterator]();
  const taken = await Promise.all([items.next(), items.next(), items.next(), items.next()]);
  expect(taken.map(({ value }) => value?.id)).toEqual([1, 2, 3, undefined]);
});

test("resumes an iterator after a break", async () => {
  const { client } = clientReturning([new Response(beats([1, 2, 3]))]);
  const items = client.beats.list()[Symbol.asyncIterator]();
  for await (const { id } of items) if (id === 1) break;
  const rest = [];
  for await (const { id } of items) rest.push(id);
  expect(rest).toEqual([2, 3]);
});

test("for iterates over an awaited page only, and for await also over the later pages", async () => {
  const { sent, client } = clientReturning([
    new Response(beats([1, 2], "https://api.example.com/v1/beats?page=2")),
    new Response(beats([3, 4], "https://api.example.com/v1/beats?page=3")),
  ]);
  const page = await client.beats.list({ maxItems: 3 });
  expect([...page].map(({ id }) => id)).toEqual([1, 2]);
  expect(sent).toHaveLength(1);
  const all = [];
  for await (const { id } of page) all.push(id);
  expect(all).toEqual([1, 2, 3]);
  expect(sent).toHaveLength(2);
});

test("requests a list on first use, and only once if it is awaited again", async () => {
  const { sent, client } = clientReturning([new Response(beats([1]))]);
  const list = client.beats.list({ limit: 1 });
  expect(sent).toHaveLength(0);
  expect((await list).data).toEqual((await list).data);
  expect(sent).toHaveLength(1);
});

test.each([-1, 1.5, Number.NaN])("refuses maxItems of %s", async (maxItems) => {
  const list = clientReturning([]).client.beats.list({ maxItems });
  await expect(list).rejects.toThrow(/maxItems/);
  await expect(list[Symbol.asyncIterator]().next()).rejects.toThrow(/maxItems/);
});

test.each(["beats", "/beats?x=1", "/a/../b", "/a/%2E%2e", "/a#b", "\\\\example.com"])(
  "refuses a raw request to %s",
  async (path) => {
    const { sent, client } = clientReturning([]);
    await expect(client.request("GET", path)).rejects.toThrow(BeatMarketError);
    expect(sent).toHaveLength(0);
  },
);

test("does not follow a redirect, and says what to do", async () => {
  const { client } = clientReturning([
    new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
  ]);
  await expect(client.genres.list()).rejects.toThrow("a redirect, which is not followed: is the base URL right?");
});

test("sends lists with commas, times in ISO 8601 and booleans as text, and omits null", async () => {
  const { sent, client } = clientReturning([new Response(beats([1]))]);
  const { data } = await client.beats.list({
    genre: [3, 4],
    producer: 7,
    tag: ["lo-fi", "dark"],
    key_compatible: "A minor",
    bpm: 140,
    bpm_tolerance: 2.5,
    half_double: true,
    created_after: new Date(Date.UTC(2026, 10, 1)),
    created_before: "2026-11-22",
    license: null,
  });
  expect(data).toEqual([{ id: 1 }]);
  expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({
    genre: "3,4",
    producer: "7",
    tag: "lo-fi,dark",
    key_compatible: "A minor",
    bpm: "140",
    bpm_tolerance: "2.5",
    half_double: "true",
    created_after: "2026-11-01T00:00:00.000Z",
    created_before: "2026-11-22",
  });
});

test("a page has the fields about all results that the response has, and no others", async () => {
  const facets = { bpm: [{ value: 140, max: 149, count: 2 }] };
  const pagination = { total: 2, next_page_url: null };
  const totals = { beats: 2, producers: 0 };
  const interpreted = { q: "trap", bpm_min: 140, bpm_max: 140 };
  const { client } = clientReturning([
    new Response(envelope({ beats: [], pagination, facets })),
    new Response(envelope({ beats: [], producers: [], pagination, totals, interpreted })),
  ]);
  const page = await client.beats.list({ facets: "bpm" });
  expect(page.facets).toEqual(facets);
  expect(page).not.toHaveProperty("missing");
  expect(await client.search("trap 140 bpm")).toMatchObject({ total: 2, totals, interpreted });
});

test("gets many beats with a request for every hundred ids, and sends none without ids", async () => {
  const found = (ids: number[], missing: number[]) =>
    new Response(envelope({ beats: ids.map((id) => ({ id })), pagination: { total: ids.length }, missing }));
  const ids = Array.from({ length: 101 }, (_, index) => index + 1);
  const { sent, client } = clientReturning([found(ids.slice(0, 99), [100]), found([], [101])]);
  const batch = await client.beats.getMany(ids);
  expect(sent.map(({ url }) => url.searchParams.get("ids"))).toEqual([ids.slice(0, 100).join(), "101"]);
  expect(batch.beats.map(({ id }) => id)).toEqual(ids.slice(0, 99));
  expect(batch.missing).toEqual([100, 101]);
  expect(await client.beats.getMany([])).toEqual({ beats: [], missing: [] });
});

test("lets a raw request override headers in any case", async () => {
  const { sent, client } = clientReturning([new Response('{"success": true}')]);
  const response = await client.request("post", "/orders", { headers: { ACCEPT: "x/y", "Idempotency-Key": "mine" } });
  expect(response.body).toEqual({ success: true });
  expect(sent[0]?.init.method).toBe("POST");
  expect(sent[0]?.init.headers).toMatchObject({ accept: "x/y", "idempotency-key": "mine" });
});

test.each([
  ["an invalid method", "G T", {}],
  ["a GET with a body", "GET", { body: {} }],
  ["headers that are a number", "GET", { headers: 5 as never }],
])("%s is refused, and nothing is sent", async (_, method, options) => {
  const { sent, client } = clientReturning([]);
  const error = await client.request(method, "/beats", options).catch((error) => error);
  expect(error.constructor).toBe(BeatMarketError);
  expect(sent).toHaveLength(0);
});

test.each([
  ["an invalid name", { "bad name": "1" }, "bad name"],
  ["a value of two lines", { accept: "x/y", "X-A": "1\n2" }, "X-A"],
  ["a line break at the end of its value", { "Idempotency-Key": "a\n" }, "Idempotency-Key"],
  ["characters that HTTP does not allow", { "X-A": "😀" }, "X-A"],
])("a header with %s is refused before it is sent, and the error names it", async (_, headers, name) => {
  const { sent, client } = clientReturning([]);
  const error = await client.request("POST", "/orders", { headers: headers as never }).catch((error) => error);
  expect(error.constructor).toBe(BeatMarketError);
  expect(error.message).toContain(`The header "${name}" cannot be sent`);
  expect(sent).toHaveLength(0);
});

test.each(["", "a b", "é", "a\n", "x".repeat(256)])(
  "refuses the invalid idempotency key %j without sending the order",
  async (idempotencyKey) => {
    const { sent, client } = clientReturning([]);
    const order = { beat_id: 1, payment_method: "pm_card_visa" };
    await expect(client.orders.create(order, { idempotencyKey })).rejects.toThrow(/idempotencyKey takes 1 to 255/);
    expect(sent).toHaveLength(0);
  },
);

test("does not show its API key when printed", () => {
  const { client } = clientReturning([]);
  const shown = inspect(client, { showHidden: true, depth: Number.POSITIVE_INFINITY }) + JSON.stringify(client);
  expect(shown).not.toContain("secret");
});

test("keeps the cause of an error", async () => {
  const { client } = clientReturning([new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") })], {
    maxRetries: 0,
  });
  const error = await client.genres.list().catch((error) => error);
  expect(error).toBeInstanceOf(APIConnectionError);
  expect(error).not.toBeInstanceOf(APIStatusError);
  expect(error.message).toContain("ENOTFOUND");
  expect(error.cause).toBeInstanceOf(TypeError);
});
