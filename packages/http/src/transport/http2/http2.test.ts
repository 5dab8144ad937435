import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from "node:http2";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { connectHttp2, response, send } from "../../../testing/http2-client.ts";
import type { Target } from "../../../testing/raw-bytes.ts";
import { openRoutes, unlimitedConnections } from "../../../testing/routes.ts";
import { openRoute } from "../../pipeline/open-route.ts";
import type { Certificate } from "../../tls/certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "../../tls/issue.ts";
import { LocalConnectionCounts } from "../connection-counts.ts";
import { ConnectionLimits, maxConnectionsOfNetwork } from "../connection-limits.ts";
import { defaultBodyLimits } from "../request-bytes.ts";
import { createServer, drain, listen } from "../server.ts";

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Resolves the waiting requests, oldest first. */
const waiting: (() => void)[] = [];
const seen = vi.fn();
const closedWhileWaiting = vi.fn();
const routes = openRoutes([
  openRoute("/read", ({ requestHeaders, url }) => {
    seen({ ...requestHeaders, url });
    return { status: 200, body: "read" };
  }),
  openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" }),
  openRoute("/large", () => ({ status: 200, body: Buffer.alloc(1_000_000, "a") })),
  openRoute("/file", () => ({ status: 200, body: Readable.from([Buffer.from("fi"), Buffer.from("le")]) })),
  openRoute("/broken", () => ({
    status: 200,
    body: Readable.from(
      (async function* () {
        yield Buffer.from("some");
        throw new Error("The disk is gone.");
      })(),
    ),
  })),
  {
    ...openRoute("/wait", () => ({ status: 200 })),
    waits: true,
    handle: async ({ closed }) => {
      closed.addEventListener("abort", closedWhileWaiting);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { status: 200, body: "news" };
    },
    respond: (value) => value as never,
  },
]);

let certificate: Certificate;
let ca = "";
beforeAll(async () => {
  const caKey = newPrivateKey();
  const key = newPrivateKey();
  ca = await issueAuthority(caKey, "Beats", Date.now());
  certificate = { key, cert: await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], Date.now()) };
});

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const resolve of waiting.splice(0)) resolve();
  for (const close of cleanUps.splice(0).reverse()) await close();
  vi.clearAllMocks();
});

async function serve(connections = unlimitedConnections()) {
  const server = createServer(certificate, routes.handle, connections);
  await listen(server, { port: 0, host: "127.0.0.1" });
  const target: Target = { port: (server.address() as AddressInfo).port, ca };
  cleanUps.push(async () => {
    server.closeAllConnections();
    await drain(server);
  });
  const connect = async (): Promise<ClientHttp2Session> => {
    const session = await connectHttp2(target);
    cleanUps.push(() => session.destroy());
    return session;
  };
  return { server, target, connect };
}

const dataFrame = 0;

/** Sends a GET as stream 1, and returns the frames of that stream. */
async function framesOf({ port }: Target, path: string): Promise<{ type: number; isLast: boolean; bytes: number }[]> {
  const socket = connectTls({ port, host: "localhost", ca, ALPNProtocols: ["h2"] });
  cleanUps.push(() => socket.destroy());
  // HPACK: GET, https, and literal :path and :authority (RFC 7541 appendix A).
  const head = Buffer.from(`\x82\x87\x04${String.fromCharCode(path.length)}${path}\x01\x09localhost`, "latin1");
  const request = Buffer.from([0, 0, head.length, 1, 5, 0, 0, 0, 1]);
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings, request, head]));
  const frames: { type: number; isLast: boolean; bytes: number }[] = [];
  let unread = Buffer.alloc(0);
  for await (const chunk of socket) {
    unread = Buffer.concat([unread, chunk]);
    for (let bytes = 0; unread.length >= 9; unread = unread.subarray(9 + bytes)) {
      bytes = unread.readUIntBE(0, 3);
      if (unread.length < 9 + bytes) break;
      const isLast = ((unread[4] ?? 0) & 1) === 1;
      if (unread.readUInt32BE(5) !== 1) continue;
      frames.push({ type: unread[3] ?? -1, isLast, bytes });
      if (isLast) return frames;
    }
  }
  throw new Error("The response has no end.");
}

const get = (path: string) => ({ ":path": path });
const post = (path: string) => ({ ":method": "POST", ":path": path });

describe("a response over HTTP/2", () => {
  it.each([
    ["GET", "/read", undefined],
    ["HEAD", "/read", undefined],
    ["HEAD", "/large", undefined],
    ["HEAD", "/file", undefined],
    ["GET", "/large", undefined],
    ["GET", "/file", undefined],
    ["GET", "/nowhere", undefined],
    ["PUT", "/read", "{}"],
    ["POST", "/echo", '{"a":1}'],
    ["POST", "/echo", "a".repeat(200_000)],
    ["GET", "/read#top", undefined],
  ])("to %s %s equals that over HTTP/1.1, without headers about the connection (%#)", async (method, path, body) => {
    const { target, connect } = await serve();
    const over2 = await response(send(await connect(), { ":method": method, ":path": path }, body));
    const over1 = await overHttp1(target, method, path, body);
    expect(over2.status).toBe(over1.status);
    expect(over2.body.equals(over1.body)).toBe(true);
    const { connection: _, "keep-alive": _alive, "transfer-encoding": _coding, ...expected } = over1.headers;
    expect({ ...over2.headers, date: "", "x-request-id": "" }).toEqual({ ...expected, date: "", "x-request-id": "" });
  });

  it.each(["/read", "/file", "/nowhere"])("to %s ends in the frame of its last bytes", async (path) => {
    // curl resets a stream whose body is complete before END_STREAM arrives, and resets are limited.
    const { target } = await serve();
    const frames = await framesOf(target, path);
    const body = frames.filter(({ type }) => type === dataFrame);
    expect(body.length).toBeGreaterThan(0);
    expect(body.at(-1)).toMatchObject({ isLast: true });
    if (path !== "/file") expect(body).toHaveLength(1);
  });

  it("is made by a handler that gets Host from :authority, one Cookie header, and no pseudo-headers", async () => {
    const session = await (await serve()).connect();
    await response(send(session, { ...get("/read?a=b"), ":authority": "api.example", cookie: ["a=1", "b=2"] }));
    expect(seen).toHaveBeenCalledWith({ url: "/read?a=b", host: "api.example", cookie: "a=1; b=2" });
  });

  it("is 400 if Host differs from :authority", async () => {
    const session = await (await serve()).connect();
    const refusal = await response(send(session, { ...get("/read"), ":authority": "a.example", host: "b.example" }));
    expect([refusal.status, JSON.parse(String(refusal.body)).error.code]).toEqual([400, "invalid_request"]);
    expect(seen).not.toHaveBeenCalled();
  });

  it.each(["ftp", "file", "wss", "httpsx"])("is 400 for the scheme %s", async (scheme) => {
    const session = await (await serve()).connect();
    const refusal = await response(send(session, { ...get("/read"), ":scheme": scheme }));
    expect([refusal.status, JSON.parse(String(refusal.body)).error.code]).toEqual([400, "invalid_request"]);
    expect(seen).not.toHaveBeenCalled();
  });

  it("is 417 for an unknown expectation", async () => {
    const session = await (await serve()).connect();
    const refusal = await response(send(session, { ...get("/read"), expect: "foo" }));
    expect([refusal.status, JSON.parse(String(refusal.body)).error.code]).toEqual([417, "invalid_request"]);
  });

  it("is 431 for more than 16 kB of headers, and the connection continues", async () => {
    const session = await (await serve()).connect();
    const refusal = await response(send(session, get(`/read?${"a".repeat(17_000)}`)));
    expect([refusal.status, JSON.parse(String(refusal.body)).error.message]).toEqual([431, "Headers too large"]);
    expect(await response(send(session, get(`/read?${"a".repeat(8_192)}`)))).toMatchObject({ status: 200 });
  });

  it("follows 100 Continue if the client waits for it, unless the body is refused", async () => {
    const session = await (await serve()).connect();
    const head = { ...post("/echo"), expect: "100-continue" };
    const stream = session.request({ ...head, "content-length": "2" }, { endStream: false });
    await once(stream, "continue");
    stream.end("{}");
    expect(await response(stream)).toMatchObject({ status: 200, body: Buffer.from("{}") });
    const onContinue = vi.fn();
    const refused = session.request({ ...head, "content-length": "100001" }, { endStream: false });
    refused.on("error", () => {}).on("continue", onContinue);
    expect((await once(refused, "response"))[0]).toMatchObject({ ":status": 413 });
    expect(onContinue).not.toHaveBeenCalled();
  });

  it("is 200 also for a request with trailers", async () => {
    const session = await (await serve()).connect();
    const stream = session.request(post("/echo"), { endStream: false, waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ authorization: "Bearer x" }));
    stream.end("{}");
    expect(await response(stream)).toMatchObject({ status: 200, body: Buffer.from("{}") });
  });

  it("that fails midway resets only its stream", async () => {
    const session = await (await serve()).connect();
    const stream = send(session, get("/broken"));
    await expect(response(stream)).rejects.toThrow();
    expect(await response(send(session, get("/read")))).toMatchObject({ status: 200 });
  });

  it("is 400 for CONNECT", async () => {
    const session = await (await serve()).connect();
    const refusal = await response(send(session, { ":method": "CONNECT", ":authority": "127.0.0.1:22" }));
    expect(refusal.status).toBe(400);
  });

  it("is sent while other requests wait", async () => {
    const session = await (await serve()).connect();
    const news = response(send(session, get("/wait")));
    await eventually(() => expect(waiting).toHaveLength(1));
    expect(await response(send(session, get("/read")))).toMatchObject({ body: Buffer.from("read") });
    waiting.shift()?.();
    expect(await news).toMatchObject({ body: Buffer.from("news") });
  });
});

describe("a request over HTTP/2", () => {
  it("ends its wait if the client resets it with any code, and the server continues", async () => {
    const session = await (await serve()).connect();
    for (let code = 0; code < 14; code++) {
      const stream = send(session, get("/wait"));
      await eventually(() => expect(waiting).toHaveLength(1));
      stream.close(code);
      await eventually(() => expect(closedWhileWaiting).toHaveBeenCalledTimes(code + 1));
      waiting.shift()?.();
    }
    expect(await response(send(session, get("/read")))).toMatchObject({ status: 200 });
  });

  it("holds a place of its network until its handler ends, even after a reset; without a free place it is refused", async () => {
    const limits = new ConnectionLimits(new LocalConnectionCounts(systemClock), () => false);
    const { connect } = await serve(limits);
    const sessions = await Promise.all(Array.from({ length: 4 }, connect));
    // Four connections: on each, one request uses the connection's place, and all others use places of the network.
    const places = maxConnectionsOfNetwork;
    const streams = sessions.flatMap((session) =>
      Array.from({ length: places / 4 }, () => send(session, get("/wait"))),
    );
    await eventually(() => expect(waiting).toHaveLength(places));
    const [session, other] = sessions as [ClientHttp2Session, ClientHttp2Session];
    const refused = send(session, get("/read"));
    await closeOf(refused);
    expect(refused.rstCode).toBe(NGHTTP2_REFUSED_STREAM);
    for (const stream of streams) stream.close(NGHTTP2_CANCEL);
    await eventually(() => expect(closedWhileWaiting).toHaveBeenCalledTimes(places));
    const repeated = send(other, get("/read"));
    await closeOf(repeated);
    expect(repeated.rstCode).toBe(NGHTTP2_REFUSED_STREAM);
    for (const resolve of waiting.splice(0)) resolve();
    await eventually(async () => expect(await response(send(session, get("/read")))).toMatchObject({ status: 200 }));
  });

  it("gets 408 if its body pauses for long, and the connection continues", async () => {
    const session = await (await serve()).connect();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const timers = vi.getTimerCount();
    const slow = session.request({ ...post("/echo"), "content-length": "2" }, { endStream: false });
    slow.on("error", () => {}).write("{");
    await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(timers + 1));
    const [responded] = await Promise.all([
      once(slow, "response"),
      vi.advanceTimersByTimeAsync(defaultBodyLimits.leastRate.windowMs),
    ]);
    expect(responded[0]).toMatchObject({ ":status": 408 });
    expect(await response(send(session, get("/read")))).toMatchObject({ status: 200 });
  });

  it("is reset if its response is not read, while other requests on the connection progress", async () => {
    const session = await (await serve()).connect();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const timers = vi.getTimerCount();
    const unread = send(session, get("/large"));
    await once(unread, "response");
    while (vi.getTimerCount() === timers) await turn();
    expect(await response(send(session, get("/file")))).toMatchObject({ status: 200 });
    const closed = closeOf(unread);
    await vi.advanceTimersByTimeAsync(60_000);
    unread.resume();
    await closed;
    expect(unread.rstCode).toBe(NGHTTP2_INTERNAL_ERROR);
    expect(await response(send(session, get("/read")))).toMatchObject({ status: 200 });
  });
});

describe("a stopping server", () => {
  it("sends GOAWAY, answers the running requests, and then closes the connection", async () => {
    const { server, connect } = await serve();
    const session = await connect();
    const news = response(send(session, get("/wait")));
    await eventually(() => expect(waiting).toHaveLength(1));
    const goaway = once(session, "goaway");
    const closeEvent = once(session, "close");
    const stopped = drain(server);
    expect((await goaway)[0]).toBe(0);
    waiting.shift()?.();
    expect(await news).toMatchObject({ status: 200, body: Buffer.from("news") });
    await Promise.all([closeEvent, stopped]);
  });

  it("does not wait for idle connections", async () => {
    const { server, connect } = await serve();
    const session = await connect();
    await response(send(session, get("/read")));
    const closeEvent = once(session, "close");
    await drain(server);
    await closeEvent;
  });
});

/** Resolves when the stream closes, with or without an error. */
const closeOf = (stream: ClientHttp2Stream) => new Promise((resolve) => stream.once("close", resolve));

function overHttp1({ port }: Target, method: string, path: string, body: string | undefined) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const options = { port, host: "localhost", ca, method, path, agent: false as const };
    const sent = httpsRequest(options, async (received) => {
      const chunks: Buffer[] = [];
      for await (const chunk of received) chunks.push(chunk);
      resolve({ status: received.statusCode ?? 0, headers: received.headers, body: Buffer.concat(chunks) });
    });
    sent.on("error", reject).end(body);
  });
}
