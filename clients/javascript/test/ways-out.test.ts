import { APIConnectionError, BeatMarket, type Options, type RequestFacts, type ResponseFacts } from "beatmarket";
import { afterEach, expect, test, vi } from "vitest";

const envelope = (data: object) => Response.json({ status: "success", data });
const list = (id: number, next: string | null) =>
  envelope({ beats: [{ id }], pagination: { total: 2, next_page_url: next } });

interface Sent {
  url: URL;
  headers: Record<string, string>;
}

/** A client whose fetch returns these responses in order, and the requests it sent. */
function clientReturning(responses: (Response | Error | ((signal: AbortSignal) => Response))[], options: Options = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, { headers, signal }: RequestInit) => {
    sent.push({ url, headers: headers as Record<string, string> });
    const response = responses.shift() ?? new Error("nothing more was expected");
    if (response instanceof Error) throw response;
    return typeof response === "function" ? response(signal as AbortSignal) : response;
  };
  const baseUrl = "https://api.example.com/v1";
  return {
    sent,
    client: new BeatMarket({ apiKey: "bm_0123456789abcdef", baseUrl, fetch: fetch as never, ...options }),
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("headers and query of a call are sent with every page of a list", async () => {
  const next = "https://api.example.com/v1/beats?page=2&limit=1&trace=kept";
  const { sent, client } = clientReturning([list(1, next), list(2, null)], { headers: { "X-Tenant": "7" } });
  const options = { headers: { "X-Trace": "a" }, query: { trace: "new", page_size: null, preview: true } };
  const ids: number[] = [];
  for await (const { id } of client.beats.list({ limit: 1 }, options)) ids.push(id);
  expect(ids).toEqual([1, 2]);
  expect(sent.map(({ url }) => url.search)).toEqual([
    "?limit=1&trace=new&preview=true",
    "?page=2&limit=1&trace=kept&preview=true",
  ]);
  for (const { headers } of sent) expect(headers).toMatchObject({ "x-tenant": "7", "x-trace": "a" });
});

test("headers are sent to the API, even with an export, and not to the link of a file", async () => {
  const file = { kind: "mp3", filename: "a.mp3", bytes: 3, sha256: "0", url: "https://files.example.com/a" };
  const { sent, client } = clientReturning(
    [envelope({ files: [file], license: {} }), new Response("abc"), new Response("", { status: 403 })],
    { headers: { "X-Tenant": "7" }, userAgentSuffix: "my-shop/1.2", maxRetries: 0 },
  );
  await expect(client.orders.download(3, "mp3", `${import.meta.dirname}/a.mp3`)).rejects.toThrow("SHA-256");
  await expect(client.exports.beats()).rejects.toThrow("403");
  expect(sent.map(({ url, headers }) => [url.host, headers["x-tenant"]])).toEqual([
    ["api.example.com", "7"],
    ["files.example.com", undefined],
    ["api.example.com", "7"],
  ]);
  for (const { headers } of sent)
    expect(headers["user-agent"]).toMatch(/^beatmarket-javascript\/\S+ \S+ my-shop\/1\.2$/);
});

test.each([
  ["limit", (client: BeatMarket) => client.beats.list({ limit: 1 }, { query: { limit: 2 } })],
  ["no JSON body", (client: BeatMarket) => client.beats.get(1, { body: { title: "A" } })],
  ["no JSON body", (client: BeatMarket) => client.exports.beats(undefined, { body: { title: "A" } })],
  ["title", (client: BeatMarket) => client.playlists.create({ title: "A" }, { body: { title: "B" } })],
  ["if-match", (client: BeatMarket) => client.beats.update(1, { price: 2 }, { headers: { "If-Match": "a" } })],
])("an extra field or header that the method sends itself or cannot send is refused (%s)", async (named, call) => {
  const { sent, client } = clientReturning([]);
  await expect(call(client)).rejects.toThrow(named);
  expect(sent).toEqual([]);
});

test.each([
  ["a header of the client", { headers: { "X-API-Key": "bm_2" } }, /x-api-key.*apiKey/],
  ["a header of two lines", { headers: { "X-A": "1\n2" } }, /X-A.*one line/],
  ["a suffix of two lines", { userAgentSuffix: "a\nb" }, /userAgentSuffix takes one line/],
  ["a hook that is not a function", { onRequest: "log" as never }, /onRequest takes a function/],
  ["plain http to another host", { baseUrl: "http://side-car:8080/v1" }, /allowHttp: true/],
])("the constructor throws for %s", (_, options: Options, message) => {
  expect(() => clientReturning([], options)).toThrow(message);
});

test("plain http to another host is allowed with allowHttp", async () => {
  const { sent, client } = clientReturning([envelope({ genres: [] })], {
    baseUrl: "http://side-car:8080/v1",
    allowHttp: true,
  });
  await client.genres.list();
  expect(sent[0]?.url.href).toBe("http://side-car:8080/v1/genres");
});

test("hooks that reject end the call with their error, without a retry", async () => {
  const failure = new APIConnectionError("of the hook's own call");
  const sentBy = async (hooks: Options) => {
    const { sent, client } = clientReturning([envelope({ genres: [] })], hooks);
    await expect(client.genres.list()).rejects.toBe(failure);
    return sent.length;
  };
  expect(await sentBy({ onRequest: async () => Promise.reject(failure) })).toBe(0);
  expect(await sentBy({ onResponse: async () => Promise.reject(failure) })).toBe(1);
});

test("hooks get every attempt of an export, and only the last characters of the key", async () => {
  const seen: (RequestFacts | ResponseFacts)[] = [];
  vi.useFakeTimers();
  const { client } = clientReturning([new Error("lost"), new Response("", { status: 404 })], {
    onRequest: (facts) => seen.push(facts),
    onResponse: (facts) => seen.push(facts),
    headers: { "X-Access-Token": "hidden" },
  });
  const failing = expect(client.exports.beats()).rejects.toThrow("404");
  await vi.runAllTimersAsync();
  await failing;
  expect(seen.map(({ operation, attempt }) => [operation, attempt])).toEqual([
    ["exportBeats", 1],
    ["exportBeats", 1],
    ["exportBeats", 2],
    ["exportBeats", 2],
  ]);
  expect(seen.map((facts) => ("status" in facts ? facts.status : "request"))).toEqual([
    "request",
    null,
    "request",
    404,
  ]);
  expect(seen[0]?.requestHeaders).toMatchObject({ authorization: "Bearer bm_…cdef", "x-access-token": "…" });
});

test("a short key is masked as a whole", async () => {
  const seen: RequestFacts[] = [];
  const { client } = clientReturning([envelope({ genres: [] })], {
    apiKey: "bm_1234",
    onRequest: (request) => seen.push(request),
  });
  await client.genres.list();
  expect(seen[0]?.requestHeaders.authorization).toBe("Bearer bm_…");
});

test("each attempt is logged in one line if the environment asks for it", async () => {
  vi.stubEnv("BEATMARKET_LOG", "info");
  const log = vi.spyOn(console, "error").mockReturnValue();
  const response = envelope({ genres: [] });
  response.headers.set("x-request-id", "req_1");
  const { client } = clientReturning([response]);
  await client.genres.list();
  await expect(client.genres.list({ maxRetries: 0 })).rejects.toThrow("nothing more");
  expect(log.mock.calls.map(([line]) => String(line).replace(/\d+ ms/, "N ms"))).toEqual([
    "beatmarket GET /v1/genres 200 N ms req_1 attempt 1",
    "beatmarket GET /v1/genres APIConnectionError N ms - attempt 1",
  ]);
});

const event = (position: number) => `id: ${position}\ndata: {"id":"evt_${position}"}\n\n`;
const stream = (body: string | ReadableStream) =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

/** A stream without an end, which breaks when its request is aborted. */
const silentAfter = (text: string) => (signal: AbortSignal) =>
  stream(
    new ReadableStream({
      start: (controller) => {
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    }),
  );

test("leaving the loop ends a stream of events, and its position is that of the last event", async () => {
  const { sent, client } = clientReturning([stream(`\uFEFF${event(7)}${event(8)}`)]);
  const events = client.events.stream({ after: 6, type: "beat.purchased" });
  expect(events.position).toBeNull();
  for await (const { id } of events) if (id === "evt_7") break;
  expect(events.position).toBe(7);
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(sent[0]?.url.search).toBe("?after=6&type=beat.purchased");
});

test("a stream of events that is silent for 45 seconds reconnects", async () => {
  vi.useFakeTimers();
  const { sent, client } = clientReturning([silentAfter(event(7)), stream(event(8))], { timeoutMs: 1_000 });
  const events = client.events.stream({ after: 6 });
  expect((await events.next()).value?.id).toBe("evt_7");
  const next = events.next();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(sent.length).toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await next).value?.id).toBe("evt_8");
  expect(sent[1]?.headers["last-event-id"]).toBe("7");
});

test("a signal ends a waiting stream of events with the signal's reason", async () => {
  const { client } = clientReturning([silentAfter("")]);
  const controller = new AbortController();
  const next = client.events.stream({}, { signal: controller.signal }).next();
  controller.abort(new Error("the program ends"));
  await expect(next).rejects.toThrow("the program ends");
});

test("an event of a stream that is not JSON is an error", async () => {
  const { client } = clientReturning([stream("id: 7\ndata: none\n\n")]);
  await expect(client.events.stream().next()).rejects.toThrow("not JSON");
});
