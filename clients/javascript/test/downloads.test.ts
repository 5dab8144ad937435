import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  APIConnectionError,
  APIStatusError,
  BeatMarket,
  BeatMarketError,
  ChecksumError,
  type DownloadProgress,
  GoneError,
  type Logger,
} from "beatmarket";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

const recording = Buffer.from(Array.from({ length: 3_000 }, (_, at) => at % 251));
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The response of a link: `body` from the offset `from`. With `sent`, the connection is lost after so many bytes. */
interface Scripted {
  status?: number;
  from?: number;
  sent?: number;
  body?: Uint8Array;
  headers?: Record<string, string>;
}
interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
}

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(response: ServerResponse, { status = 200, from = 0, sent, body = recording, headers }: Scripted): void {
  const rest = body.subarray(from);
  const range = status === 206 && { "content-range": `bytes ${from}-${body.length - 1}/${body.length}` };
  response.writeHead(status, { "content-length": rest.length, ...range, ...headers });
  if (sent === undefined) response.end(rest);
  else response.write(rest.subarray(0, sent), () => response.destroy());
}

const refused = (status: number, headers: Record<string, string> = {}): Scripted => ({
  status,
  body: Buffer.from('{"status": "error", "error": {"code": "x", "message": "No", "details": "Why."}}'),
  headers,
});

interface Given {
  listings?: object[];
  file?: object;
  logger?: Logger;
}

/** Serves an order. Its links give `answers`, one each; its listings give `listings`, and then repeat the last one. */
async function order(answers: Scripted[], { listings = [{}], file = {}, logger }: Given = {}) {
  const links: Seen[] = [];
  const listed: Seen[] = [];
  const origin = await serve(({ url = "", headers }, response) => {
    if (!url.startsWith("/v1")) {
      links.push({ url, headers });
      return send(response, answers.shift() ?? refused(500));
    }
    listed.push({ url, headers });
    const listing = { status: 200, body: {}, ...listings[Math.min(listed.length, listings.length) - 1] };
    const license = { id: "7f0c", status: "valid" };
    const mp3 = { kind: "mp3", filename: "a.mp3", bytes: recording.length, sha256: hash(recording), ...file };
    const files = [{ ...mp3, url: `${origin}/downloads/3/mp3?signature=s${listed.length}` }];
    const data = { files, license, ...listing.body };
    response.writeHead(listing.status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify(listing.status === 200 ? { status: "success", data } : { status: "error", error: {} }));
  });
  const folder = await mkdtemp(join(import.meta.dirname, "download-"));
  const path = join(folder, "beat.mp3");
  const client = new BeatMarket({ apiKey: "bm_secret", baseUrl: `${origin}/v1`, maxRetries: 1, logger });
  return { client, folder, path, links, listed, ranges: () => links.map(({ headers }) => headers.range) };
}

// The shortest backoff.
beforeEach(() => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  return () => void random.mockRestore();
});

test("lists the files and the license of an order", async () => {
  const { client, listed } = await order([]);
  const { data, response } = await client.orders.files(3).withResponse();
  expect([data.files[0]?.kind, data.license.status, response.status]).toEqual(["mp3", "valid", 200]);
  expect(listed[0]?.url).toBe("/v1/orders/3/files");
});

test("downloads a file through its link, without sending the key there", async () => {
  const { client, path, folder, links } = await order([{}]);
  const progress: DownloadProgress[] = [];
  const download = await client.orders.download(3, "mp3", path, { onProgress: (each) => progress.push(each) });
  expect(download).toEqual({ kind: "mp3", filename: "a.mp3", bytes: 3_000, sha256: hash(recording), path });
  expect(await readFile(path)).toEqual(recording);
  expect(await readdir(folder)).toEqual(["beat.mp3"]);
  expect(progress[0]).toEqual({ kind: "mp3", received: 0, bytes: 3_000 });
  expect(progress.at(-1)).toEqual({ kind: "mp3", received: 3_000, bytes: 3_000 });
  expect(links.map(({ url, headers }) => [url, headers.authorization, headers["accept-encoding"]])).toEqual([
    ["/downloads/3/mp3?signature=s1", undefined, "identity"],
  ]);
});

test("resumes after each lost connection without limit, if bytes arrived since the last one", async () => {
  const cuts = [0, 700, 1_400, 2_100].map((from) => ({ status: from === 0 ? 200 : 206, from, sent: 700 }));
  const { client, path, ranges } = await order([...cuts, { status: 206, from: 2_800 }]);
  await client.orders.download(3, "mp3", path);
  expect(await readFile(path)).toEqual(recording);
  expect(ranges()).toEqual([undefined, "bytes=700-", "bytes=1400-", "bytes=2100-", "bytes=2800-"]);
});

test("resumes after a whole response that is too short, and starts again if a range is ignored", async () => {
  const short = { body: recording.subarray(0, 1_000) };
  const { client, path, ranges } = await order([short, {}]);
  await client.orders.download(3, "mp3", path);
  expect(await readFile(path)).toEqual(recording);
  expect(ranges()).toEqual([undefined, "bytes=1000-"]);
});

test("a range with another start is not appended", async () => {
  const { client, path, folder } = await order([{ sent: 1_000 }, ...Array(6).fill({ status: 206, from: 900 })]);
  await expect(client.orders.download(3, "mp3", path, { maxRetries: 0 })).rejects.toThrow(APIConnectionError);
  await expect(client.orders.download(3, "mp3", path, { maxRetries: 0 })).rejects.toThrow(/not those from 1000/);
  expect(await readdir(folder)).toEqual(["beat.mp3.part"]);
});

test("an expired link is replaced by a new one, and the download continues", async () => {
  const { client, path, listed, links, ranges } = await order([
    { sent: 1_000 },
    refused(410),
    { status: 206, from: 1_000 },
  ]);
  await client.orders.download(3, "mp3", path);
  expect(await readFile(path)).toEqual(recording);
  expect(listed).toHaveLength(2);
  expect(links.map(({ url }) => url.slice(-2))).toEqual(["s1", "s1", "s2"]);
  expect(ranges()).toEqual([undefined, "bytes=1000-", "bytes=1000-"]);
});

test("a download ends if the new link is refused too", async () => {
  const { client, path, listed } = await order([refused(410), refused(410), {}]);
  await expect(client.orders.download(3, "mp3", path)).rejects.toThrow(GoneError);
  expect([listed.length, existsSync(path)]).toEqual([2, false]);
});

test.each([
  ["other bytes", Buffer.alloc(recording.length)],
  ["more bytes", Buffer.concat([recording, recording])],
])("%s than the service lists are a ChecksumError, and an existing file is unchanged", async (_, body) => {
  const { client, path, folder } = await order([{ body }]);
  await writeFile(path, "before");
  const made = client.orders.download(3, "mp3", path);
  await expect(made).rejects.toThrow(ChecksumError);
  await expect(made).rejects.toThrow(/file mp3 of order 3/);
  expect(await readFile(path, "utf8")).toBe("before");
  expect(await readdir(folder)).toEqual(["beat.mp3"]);
});

test("resumes the part of an earlier call, and starts again if the part belongs to another file", async () => {
  const earlier = await order([{ status: 206, from: 1_000 }]);
  await writeFile(`${earlier.path}.part`, recording.subarray(0, 1_000));
  const received: number[] = [];
  await earlier.client.orders.download(3, "mp3", earlier.path, {
    onProgress: (progress) => received.push(progress.received),
  });
  expect(received[0]).toBe(1_000);
  expect(await readFile(earlier.path)).toEqual(recording);

  const other = await order([{ status: 206, from: 1_000 }, {}]);
  await writeFile(`${other.path}.part`, Buffer.alloc(1_000));
  await other.client.orders.download(3, "mp3", other.path);
  expect(await readFile(other.path)).toEqual(recording);
  expect(other.ranges()).toEqual(["bytes=1000-", undefined]);
});

test("a failed download leaves its bytes in <path>.part", async () => {
  const { client, path, folder } = await order([{ sent: 1_000 }]);
  await expect(client.orders.download(3, "mp3", path, { maxRetries: 0 })).rejects.toThrow(APIConnectionError);
  expect(await readdir(folder)).toEqual(["beat.mp3.part"]);
  expect(await readFile(`${path}.part`)).toEqual(recording.subarray(0, 1_000));
});

test("a complete file is not downloaded again", async () => {
  const { client, path, links } = await order([]);
  await writeFile(path, recording);
  const received: number[] = [];
  await client.orders.download(3, "mp3", path, { onProgress: (progress) => received.push(progress.received) });
  expect([links, received]).toEqual([[], [3_000]]);
});

test("follows redirects to another host, which does not get the key either", async () => {
  const seen: Seen[] = [];
  const storage = await serve(({ url = "", headers }, response) => {
    seen.push({ url, headers });
    send(response, { status: 206, from: 1_000 });
  });
  const leading = { status: 302, headers: { location: `${storage}/bucket/key?x=1` } };
  const { client, path, links } = await order([{ sent: 1_000 }, leading]);
  await client.orders.download(3, "mp3", path);
  expect(await readFile(path)).toEqual(recording);
  expect(seen.map(({ url, headers }) => [url, headers.range, headers.authorization])).toEqual([
    ["/bucket/key?x=1", "bytes=1000-", undefined],
  ]);
  expect(JSON.stringify([links, seen])).not.toContain("bm_secret");
});

test.each([
  ["to an unencrypted host", "http://storage.example/key"],
  ["to another scheme", "file:///etc/passwd"],
])("a redirect %s is not followed", async (_, location) => {
  const { client, path, links } = await order([{ status: 302, headers: { location } }]);
  const made = client.orders.download(3, "mp3", path);
  await expect(made).rejects.toThrow(APIStatusError);
  expect(links).toHaveLength(1);
});

test("a circle of redirects ends", async () => {
  const { client, path, links } = await order(
    Array.from({ length: 20 }, () => ({ status: 302, headers: { location: "/downloads/again" } })),
  );
  await expect(client.orders.download(3, "mp3", path)).rejects.toMatchObject({ status: 302 });
  expect(links).toHaveLength(6);
});

test("waits until the files are created, and continues after a restart of the service", async () => {
  const { client, path, listed } = await order([refused(503, { "retry-after": "0" }), {}], {
    listings: [{ status: 503 }, { status: 503 }, { status: 503 }, {}],
  });
  await client.orders.download(3, "mp3", path);
  expect(listed).toHaveLength(4);
  expect(await readFile(path)).toEqual(recording);
});

test("rejects for a kind that the order lacks, an unwritable path, and an order without files or pending", async () => {
  const { client, path, folder } = await order([]);
  await expect(client.orders.download(3, "wav", path)).rejects.toThrow("The order 3 has no wav; it has mp3.");
  await expect(client.orders.download(3, "mp3", folder)).rejects.toThrow("is a folder");
  await expect(client.orders.download(3, "mp3", join(folder, "none/beat.mp3"))).rejects.toThrow("cannot be written");
  const refunded = await order([], { listings: [{ body: { files: [] } }] });
  for (const made of [refunded.client.orders.download(3, "mp3", path), refunded.client.orders.downloadAll(3, folder)])
    await expect(made).rejects.toThrow(new BeatMarketError("The order 3 has no files: its license is refunded."));
  const pending = await order([], { listings: [{ status: 409 }] });
  await expect(pending.client.orders.download(3, "mp3", path, { maxRetries: 0 })).rejects.toMatchObject({
    status: 409,
  });
});

test("an aborted download continues in a later call", async () => {
  const { client, path } = await order([{ sent: 1_000 }, { status: 206, from: 1_000 }]);
  const abort = new AbortController();
  const onProgress = ({ received }: DownloadProgress) => received > 0 && abort.abort(new Error("enough"));
  await expect(client.orders.download(3, "mp3", path, { signal: abort.signal, onProgress })).rejects.toThrow("enough");
  await client.orders.download(3, "mp3", path);
  expect(await readFile(path)).toEqual(recording);
});

const longest = (extension: string) => `${"青".repeat(Math.floor((200 - extension.length) / 3))}${extension}`;
test.each([
  ["../../etc/passwd", "_.._etc_passwd"],
  ["..\\..\\x.mp3", "_.._x.mp3"],
  ["C:x?.mp3", "C_x_.mp3"],
  ["..", "mp3"],
  ["", "mp3"],
  [".hidden. ", "hidden"],
  ["nul.mp3", "_nul.mp3"],
  ["a\u0000\u202egpj.mp3", "a__gpj.mp3"],
  ["水曜日の庭 - 青い高速道路 (basic).mp3", "水曜日の庭 - 青い高速道路 (basic).mp3"],
  [`${"青".repeat(300)}.mp3`, longest(".mp3")],
])("a file named %j is saved in the folder as %j", async (filename, name) => {
  const { client, folder } = await order([{}], { file: { filename } });
  const [download] = await client.orders.downloadAll(3, join(folder, "all/of it"));
  expect(download?.path).toBe(join(folder, "all/of it", name));
  expect(await readdir(join(folder, "all/of it"))).toEqual([name]);
});

test("downloads all files of an order one after the other, even files with the same name", async () => {
  const second = Buffer.from("second");
  const origin = await serve((_, response) => send(response, { body: second }));
  const files = ["mp3", "wav"].map((kind) => ({
    kind,
    filename: kind === "mp3" ? "Beat" : "beat",
    bytes: second.length,
    sha256: hash(second),
    url: `${origin}/downloads/3/${kind}`,
  }));
  const { client, folder } = await order([], { listings: [{ body: { files } }] });
  await mkdir(join(folder, "all"));
  const made = await client.orders.downloadAll(3, join(folder, "all"));
  expect(made.map(({ path }) => path)).toEqual(["Beat", "wav beat"].map((name) => join(folder, "all", name)));
  expect((await readdir(join(folder, "all"))).sort()).toEqual(["Beat", "wav beat"]);
});

test("neither messages nor logs have the signature of a link", async () => {
  const lines: string[] = [];
  const logger = { debug: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  const { client, path } = await order([{ sent: 1_000 }, refused(403)], { logger });
  const error = await client.orders.download(3, "mp3", path).catch((error) => error);
  expect(error.status).toBe(403);
  expect(lines.join("\n")).toContain("/downloads/3/mp3");
  expect(`${lines.join("\n")}${error.stack}`).not.toMatch(/signature=|bm_secret/);
});

test("iterates over sales, and saves a month", async () => {
  const seen: string[] = [];
  const csv = 'order_id,title\r\n1,"青い"\r\n';
  const origin = await serve(({ url = "" }, response) => {
    seen.push(url);
    if (url.includes("sales.csv")) return void response.writeHead(200, { "content-type": "text/csv" }).end(csv);
    const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
    const next = page === 1 ? `${origin}/v1/users/me/sales?page=2` : null;
    const data = { sales: [{ id: page }], pagination: { total: 2, next_page_url: next } };
    response.end(JSON.stringify({ status: "success", data }));
  });
  const client = new BeatMarket({ apiKey: "bm_1", baseUrl: `${origin}/v1`, maxRetries: 0 });
  const ids = [];
  for await (const { id } of client.sales.list({ from: new Date(0), to: "2026-12-01", beat: 7, limit: 1 }))
    ids.push(id);
  expect(ids).toEqual([1, 2]);
  const path = join(await mkdtemp(join(import.meta.dirname, "sales-")), "sales.csv");
  await writeFile(path, `${csv}A longer one of yesterday.`);
  const download = await client.sales.export("2026-11", path);
  expect([download.path, download.response.status, await readFile(path, "utf8")]).toEqual([path, 200, csv]);
  expect(seen).toEqual([
    "/v1/users/me/sales?from=1970-01-01T00%3A00%3A00.000Z&to=2026-12-01&beat=7&limit=1",
    "/v1/users/me/sales?page=2",
    "/v1/users/me/sales.csv?month=2026-11",
  ]);
});
