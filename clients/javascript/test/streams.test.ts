import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BeatMarket, GoneError, InvalidRequestError, type Options, RateLimitError } from "beatmarket";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

const page = (positions: number[], next: number) =>
  Response.json({ status: "success", data: { changes: positions.map((position) => ({ position })), next } });
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ status: "error", error: { code, message: "No", details: "Take an export." } }, { status, headers });

/** A client that gets these responses in order, and the queries that it sent. */
function clientReturning(responses: (Response | Error)[], options: Options = {}) {
  const sent: string[] = [];
  const fetch = async (url: URL) => {
    sent.push(url.search);
    const response = responses.shift() ?? new Error("nothing more was expected");
    if (response instanceof Error) throw response;
    return response;
  };
  return { sent, client: new BeatMarket({ apiKey: "bm_secret", fetch: fetch as never, ...options }) };
}

afterEach(() => void vi.useRealTimers());

test("lists changes with the position to continue from", async () => {
  const { sent, client } = clientReturning([page([4, 6], 7)]);
  const { data, response } = await client.changes.list({ after: 3, limit: 2, wait: 5 }).withResponse();
  expect(data).toEqual({ changes: [{ position: 4 }, { position: 6 }], next: 7 });
  expect([response.status, sent]).toEqual([200, ["?after=3&limit=2&wait=5"]]);
});

test("the wait of a call is added to its time-out", async () => {
  vi.useFakeTimers();
  const fetch = (_: URL, { signal }: RequestInit) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const client = new BeatMarket({ apiKey: "bm_1", fetch: fetch as never, timeoutMs: 1_000, maxRetries: 0 });
  const waiting = client.changes.list({ wait: 30 });
  const failed = expect(waiting).rejects.toThrow("within 31000 ms");
  await vi.advanceTimersByTimeAsync(31_000);
  await failed;
});

test("follow continues after each page, even an empty one", async () => {
  const { sent, client } = clientReturning([page([4], 4), page([], 9), page([12], 12)]);
  const pages = [];
  for await (const { changes, next } of client.changes.follow({ after: 3 })) {
    pages.push([changes.length, next]);
    if (next === 12) break;
  }
  expect(pages).toEqual([
    [1, 4],
    [0, 9],
    [1, 12],
  ]);
  expect(sent).toEqual([3, 4, 9].map((after) => `?limit=1000&wait=30&after=${after}`));
});

test("follow retries lost connections and rate limits without limit, with the same position", async () => {
  vi.useFakeTimers();
  const troubles = Array.from({ length: 40 }, (_, index) =>
    index % 2 === 0 ? new Error("lost") : refusal(429, "rate_limit_exceeded", { "retry-after": "3600" }),
  );
  const { sent, client } = clientReturning([page([4], 4), ...troubles, page([5], 5)], { maxRetries: 0 });
  const pages = client.changes.follow({ after: 3 });
  await pages.next();
  const second = pages.next();
  await vi.runAllTimersAsync();
  expect((await second).value.next).toBe(5);
  expect(sent.slice(1)).toEqual(Array.from({ length: 41 }, () => "?limit=1000&wait=30&after=4"));
});

test("follow rejects if the first page cannot be read", async () => {
  const { client } = clientReturning([new Error("nobody is there")], { maxRetries: 0 });
  await expect(client.changes.follow({ after: 3 }).next()).rejects.toThrow("nobody is there");
});

test("follow rejects with a GoneError if the changes are no longer kept, and with other permanent errors", async () => {
  const { client } = clientReturning([page([4], 4), refusal(410, "not_found"), refusal(400, "invalid_request")]);
  const pages = client.changes.follow({ after: 3 });
  await pages.next();
  await expect(pages.next()).rejects.toThrow(GoneError);
  await expect(client.changes.follow({ after: 3 }).next()).rejects.toThrow(InvalidRequestError);
});

test("follow can be aborted while it waits", async () => {
  const { client } = clientReturning([page([4], 4), refusal(429, "rate_limit_exceeded", { "retry-after": "3600" })]);
  const abort = new AbortController();
  const pages = client.changes.follow({ after: 3 }, { signal: abort.signal });
  await pages.next();
  const second = pages.next();
  abort.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
});

test("list obeys the retry limits of the client, unlike follow", async () => {
  const { client } = clientReturning([refusal(429, "rate_limit_exceeded", { "retry-after": "3600" })]);
  await expect(client.changes.list()).rejects.toThrow(RateLimitError);
});

test("follows events as it follows changes, and gets an event by its id", async () => {
  const event = { id: "evt_1", created: 1, type: "beat.updated", data: { changed: ["available"] } };
  const { sent, client } = clientReturning([
    Response.json({ status: "success", data: { events: [event], next: 9 } }),
    Response.json({ status: "success", data: { event } }),
  ]);
  const { value } = await client.events.follow({ after: 7, type: "beat.updated" }).next();
  expect(value).toEqual({ events: [event], next: 9 });
  expect(await client.events.get("evt_1")).toEqual(event);
  expect(sent).toEqual(["?limit=1000&wait=30&after=7&type=beat.updated", ""]);
});

const exported = gzipSync('{"id":1,"title":"One"}\n{"id":2,"title":"Zwei ä"}\n');

/**
 * Downloads an export from a server that responds with these parts in order. With `sent`, the connection is lost after so
 * many bytes of the part.
 */
async function exportFrom(parts: { status: number; from?: number; sent?: number; position?: number }[]) {
  const ranges: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    ranges.push([headers.range, headers["if-range"]]);
    const { status, from = 0, sent, position = 7 } = parts[ranges.length - 1] ?? { status: 500 };
    const body = exported.subarray(from);
    response.writeHead(status, {
      etag: `"${position}"`,
      "x-change-position": position,
      "content-length": body.length,
      ...(status === 206 && { "content-range": `bytes ${from}-${exported.length - 1}/${exported.length}` }),
      "retry-after": "0",
    });
    if (sent === undefined) response.end(body);
    else response.write(body.subarray(0, sent), () => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = new BeatMarket({ apiKey: "bm_1", baseUrl: `http://127.0.0.1:${port}/v1`, maxRetries: 1 });
  const folder = await mkdtemp(join(import.meta.dirname, "export-"));
  const beats = await client.exports.beats(join(folder, "beats.ndjson.gz"));
  const titles = [];
  for await (const { title } of beats) titles.push(title);
  return { position: beats.position, titles, ranges };
}

test("an export resumes after a lost connection", async () => {
  const parts = [
    { status: 200, sent: 20 },
    { status: 206, from: 19, sent: 11 },
    { status: 206, from: 29 },
  ];
  expect(await exportFrom(parts)).toEqual({
    position: 7,
    titles: ["One", "Zwei ä"],
    ranges: [
      [undefined, undefined],
      ["bytes=19-", '"7"'],
      ["bytes=29-", '"7"'],
    ],
  });
});

test("an export starts again if there is a newer one, and a refused one leaves the existing file", async () => {
  const other = await exportFrom([
    { status: 200, sent: 20 },
    { status: 200, position: 8 },
  ]);
  expect([other.position, other.titles]).toEqual([8, ["One", "Zwei ä"]]);
  const { client } = clientReturning([refusal(429, "rate_limit_exceeded", { "retry-after": "3600" })]);
  const path = join(import.meta.dirname, "refused.gz");
  await writeFile(path, "yesterday's");
  await expect(client.exports.beats(path)).rejects.toThrow(RateLimitError);
  expect(await readFile(path, "utf8")).toBe("yesterday's");
});
