import { createHash } from "node:crypto";
import { truncateSync } from "node:fs";
import { mkdtemp, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  APIStatusError,
  APITimeoutError,
  BeatMarket,
  BeatMarketError,
  type Options,
  PreconditionFailedError,
  type Uploadable,
  type UploadProgress,
  UploadRejectedError,
} from "beatmarket";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

const id = "upl_0000000000000000000001";
const file = new TextEncoder().encode("A quiet beat");

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  atMs: number;
}

/** A response of the protocol. */
const tus = (status: number, headers: Record<string, string | number> = {}) =>
  new Response(null, { status, headers: { "tus-resumable": "1.0.0", ...headers } as Record<string, string> });
const created = (offset = 0) =>
  tus(201, { location: `https://inside.example/v1/uploads/${id}`, "upload-offset": offset });
const at = (offset: number) => tus(204, { "upload-offset": offset });
const state = (offset: number, bytes = file.length) => tus(200, { "upload-offset": offset, "upload-length": bytes });
const upload = (fields: object = {}) =>
  Response.json({ status: "success", data: { upload: { id, status: "analysing", rejection: null, ...fields } } });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ status: "error", error: { code: "x", message: "No", details: "Why." } }, { status, headers });

/** A client that gets these responses in order, and the requests that it sent. */
function clientReturning(responses: (Response | Error)[], options: Options = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, { method = "", headers, body }: RequestInit) => {
    const text = typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array);
    sent.push({ method, path: url.pathname, headers: headers as Sent["headers"], body: text, atMs: performance.now() });
    const response = responses.shift() ?? new Error("nothing more was expected");
    if (response instanceof Error) throw response;
    return response;
  };
  const baseUrl = "https://api.example.com/v1";
  return { sent, client: new BeatMarket({ apiKey: "bm_secret", baseUrl, fetch: fetch as never, ...options }) };
}

afterEach(() => void vi.useRealTimers());

/** The result of a call whose waits end immediately. */
async function withoutWaits<T>(call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const made = call();
  made.catch(() => {});
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  made.then(end, end);
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
  return made;
}

const kinds: [string, (folder: string) => Promise<Uploadable>, string][] = [
  [
    "a path",
    async (folder) => {
      const path = join(folder, "Größe.wav");
      await writeFile(path, file);
      return path;
    },
    "Größe.wav",
  ],
  [
    "an opened file",
    async (folder) => {
      await writeFile(join(folder, "beat.wav"), file);
      const opened = await open(join(folder, "beat.wav"));
      onTestFinished(() => opened.close());
      return opened;
    },
    "audio",
  ],
  ["a Blob", async () => new Blob([file]), "audio"],
  ["a File", async () => new File([file], "beat.wav"), "beat.wav"],
  ["bytes", async () => file, "audio"],
];

test.each(kinds)("uploads %s in one request", async (_, make, filename) => {
  const source = await make(await mkdtemp(join(import.meta.dirname, "uploads-")));
  const { sent, client } = clientReturning([created(file.length), upload()]);
  const progress: UploadProgress[] = [];
  const made = await client.uploads.upload(source, { kind: "audio", onProgress: (state) => progress.push(state) });
  expect(made.status).toBe("analysing");
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/uploads", `GET /v1/uploads/${id}`]);
  expect(sent[0]?.body).toBe("A quiet beat");
  expect(sent[0]?.headers).toMatchObject({
    "tus-resumable": "1.0.0",
    "content-type": "application/offset+octet-stream",
    "upload-length": "12",
    "upload-metadata": `kind ${btoa("audio")},filename ${Buffer.from(filename).toString("base64")}`,
    "upload-checksum": `sha256 ${createHash("sha256").update(file).digest("base64")}`,
  });
  expect(progress).toEqual([{ uploadId: id, sent: 12, bytes: 12 }]);
});

test("resumes at the offset of the service after each failed part, without limit if other parts arrive", async () => {
  const lost = () => new TypeError("fetch failed");
  const { sent, client } = clientReturning(
    [created(), at(4), lost(), lost(), lost(), lost(), state(7), at(11), refusal(503), state(11), at(12), upload()],
    { maxRetries: 1 },
  );
  const progress: number[] = [];
  const onProgress = ({ sent: sentBytes }: UploadProgress) => progress.push(sentBytes);
  await withoutWaits(() => client.uploads.upload(file, { kind: "audio", partBytes: 4, onProgress }));
  expect(progress).toEqual([0, 4, 7, 11, 12]);
  expect(sent.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
    "A qu",
    "iet ",
    " bea",
    "t",
    "t",
  ]);
  expect(sent.filter(({ method }) => method === "HEAD")).toHaveLength(5);
});

test("without retries, rejects at the first failure, and the upload can be resumed", async () => {
  const { client } = clientReturning([created(), at(4), refusal(503)], { maxRetries: 0 });
  let uploadId = "";
  const onProgress = (state: UploadProgress) => {
    uploadId = state.uploadId;
  };
  await expect(client.uploads.upload(file, { kind: "audio", partBytes: 4, onProgress })).rejects.toThrow(
    APIStatusError,
  );
  const later = clientReturning([state(4), at(12), upload()]);
  await later.client.uploads.resume(uploadId, file);
  expect(later.sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["HEAD", `/v1/uploads/${id}`, ""],
    ["PATCH", `/v1/uploads/${id}`, "iet beat"],
    ["GET", `/v1/uploads/${id}`, ""],
  ]);
});

test.each([
  ["if the file is another one", [state(4, 99)], BeatMarketError, /12 bytes, and the upload .* 99/],
  ["if the upload has expired", [tus(404), refusal(404)], APIStatusError, /No/],
  ["if the response is not from a tus server", [new Response("<html>")], APIStatusError, /not from a tus server/],
  ["if another client writes the upload", [state(4), refusal(409)], APIStatusError, /No/],
])("does not resume %s", async (_, responses, error, message) => {
  const { sent, client } = clientReturning([...responses]);
  const resuming = client.uploads.resume(id, file);
  await expect(resuming).rejects.toThrow(error);
  await expect(resuming).rejects.toThrow(message);
  expect(sent.length).toBe(responses.length);
});

test("a file that cannot be read, or becomes shorter, is not a network error", async () => {
  const { sent, client } = clientReturning([created()]);
  await expect(client.uploads.upload("absent.wav", { kind: "audio" })).rejects.toThrow("absent.wav cannot be read");
  expect(sent).toEqual([]);
  const path = join(await mkdtemp(join(import.meta.dirname, "uploads-")), "beat.wav");
  await writeFile(path, file);
  const onProgress = () => truncateSync(path, 0);
  const uploading = client.uploads.upload(path, { kind: "audio", partBytes: 4, onProgress });
  await expect(uploading).rejects.toThrow("became shorter");
});

test("an aborted upload ends with the signal's reason", async () => {
  const abort = new AbortController();
  const { sent, client } = clientReturning([created(), at(4)]);
  const onProgress = ({ sent: sentBytes }: UploadProgress) => sentBytes === 4 && abort.abort(new Error("enough"));
  const options = { kind: "audio", partBytes: 4, signal: abort.signal, onProgress };
  await expect(client.uploads.upload(file, options)).rejects.toThrow("enough");
  expect(sent).toHaveLength(2);
});

test("wait polls until the upload is ready, at intervals of 1, 2, 4 and then 8 seconds", async () => {
  const analysing = Array.from({ length: 5 }, () => upload());
  const { sent, client } = clientReturning([...analysing, upload({ status: "ready" })]);
  expect((await withoutWaits(() => client.uploads.wait(id))).status).toBe("ready");
  const times = sent.map(({ atMs }) => atMs);
  expect(times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
});

test("wait rejects with an UploadRejectedError for a rejected upload, and with an APITimeoutError after its time", async () => {
  const rejected = clientReturning([upload({ status: "rejected", rejection: "The file is no audio." })]);
  const error = await rejected.client.uploads.wait(id).catch((error) => error);
  expect(error).toBeInstanceOf(UploadRejectedError);
  expect([error.message, error.upload.id]).toEqual(["The file is no audio.", id]);
  const { client } = clientReturning(Array.from({ length: 10 }, () => upload()));
  const waiting = withoutWaits(() => client.uploads.wait(id, { timeoutMs: 10_000 }));
  await expect(waiting).rejects.toThrow(APITimeoutError);
});

test("an edit sends If-Match, and the response of a beat has its etag", async () => {
  const beat = (headers = {}) => Response.json({ status: "success", data: { beat: { id: 7 } } }, { headers });
  const { sent, client } = clientReturning([beat({ etag: '"v7-0a"' }), beat(), refusal(412), beat()]);
  const { response } = await client.beats.get(7).withResponse();
  await client.beats.update(7, { price: 9, description: null }, { ifMatch: response.etag });
  await expect(client.beats.withdraw(7, { ifMatch: response.etag })).rejects.toThrow(PreconditionFailedError);
  await client.beats.withdraw(7, { ifMatch: null });
  expect(sent.map(({ method, headers }) => [method, headers["if-match"]])).toEqual([
    ["GET", undefined],
    ["PATCH", '"v7-0a"'],
    ["DELETE", '"v7-0a"'],
    ["DELETE", undefined],
  ]);
  expect(sent[1]?.body).toBe('{"price":9,"description":null}');
  await expect(client.beats.withdraw(7, { ifMatch: "two\nlines" })).rejects.toThrow("takes the etag");
});
