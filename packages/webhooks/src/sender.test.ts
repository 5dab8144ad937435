import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "@beatmarket/http/tls/issue.ts";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { maxSuccessBytes, type Outcome, Sender } from "./sender.ts";

const body = Buffer.from('{"id":"evt_1","data":{"title":"Café 🎵"}}');
const clock = new FakeClock();

afterEach(() => vi.useRealTimers());

describe("a delivery", () => {
  it("is a POST with the given bytes and headers, and succeeds with 2xx", async () => {
    const received: { request: IncomingMessage; body: string }[] = [];
    const url = await receiver(async (request, response) => {
      received.push({ request, body: await text(request) });
      response.writeHead(204).end();
    });
    expect(await send(`${url}/hooks?of=me`, { "X-Webhook-Signature": "abc" })).toEqual({
      status: 204,
      durationMs: 0,
      error: null,
      timedOut: false,
      responseBody: "",
      retryAfterMs: null,
    });
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toBe(body.toString());
    expect(received[0]?.request).toMatchObject({
      method: "POST",
      url: "/hooks?of=me",
      headers: {
        "content-type": "application/json",
        "content-length": String(body.length),
        "user-agent": expect.stringMatching(/^Test-Webhooks\/\d/),
        "x-webhook-signature": "abc",
      },
    });
  });

  it("has a duration from its start to the end of the response", async () => {
    const url = await receiver((_, response) => {
      clock.advance(1234);
      response.end("ok");
    });
    expect(await send(url)).toMatchObject({ durationMs: 1234, responseBody: "ok" });
  });

  it.each([true, false])(
    "does not wait for another name's look-up, and shares the look-up of the same name (private networks: %s)",
    async (allowPrivate) => {
      const names: string[] = [];
      const hanging = Promise.withResolvers<string[]>();
      const resolve = async (name: string) => {
        names.push(name);
        return name.startsWith("hanging") ? hanging.promise : ["127.0.0.1"];
      };
      const sender = new Sender({ userAgent: "Test-Webhooks/1.0", allowPrivate, clock, resolve });
      onTestFinished(() => sender.close());
      const to = (name: string) => sender.send({ url: `https://${name}.example:8443/`, body, headers: {} });
      const waiting = Promise.all(Array.from({ length: 20 }, () => to("hanging")));
      expect(await to("healthy")).toMatchObject({ status: null, error: expect.any(String) });
      expect(names).toEqual(["hanging.example", "healthy.example"]);
      hanging.reject(Object.assign(new Error("no response"), { code: "ETIMEOUT" }));
      for (const { error } of await waiting) expect(error).toMatch("its name server did not respond");
    },
  );

  it("to localhost goes to this machine if private networks are allowed", async () => {
    const url = await receiver((_, response) => response.end("ok"));
    expect(await send(url.replace("127.0.0.1", "localhost"))).toMatchObject({ status: 200 });
  });

  it("reuses the connection of the previous delivery", async () => {
    const sockets = new Set<Socket>();
    const url = await receiver((request, response) => {
      sockets.add(request.socket);
      response.end("ok");
    });
    const sender = newSender();
    for (let count = 0; count < 3; count++) {
      expect(await sender.send({ url, body, headers: {} })).toMatchObject({ error: null });
      // The agent frees the connection one turn of the event loop after the response.
      await new Promise(setImmediate);
    }
    expect(sockets.size).toBe(1);
  });

  it("opens a new connection if the receiver closes the kept-alive connection", async () => {
    let requests = 0;
    const url = await rawReceiver((socket) => {
      requests++;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    const sender = newSender();
    for (let count = 0; count < 5; count++)
      expect(await sender.send({ url, body, headers: {} })).toMatchObject({ status: 200, error: null });
    expect(requests).toBe(5);
  });

  it.each([400, 401, 404, 410, 500, 503])("fails with %i", async (status) => {
    const url = await receiver((_, response) => void response.writeHead(status).end("no"));
    const outcome = await send(url);
    expect(outcome).toMatchObject({ status, responseBody: "no", timedOut: false });
    expect(outcome.error).toContain(String(status));
  });

  it.each([301, 302, 303, 307, 308])("fails with the redirect %i, which is not followed", async (status) => {
    let requests = 0;
    const url = await receiver((request, response) => {
      requests++;
      response.writeHead(status, { Location: `http://${request.headers.host}/elsewhere` }).end();
    });
    expect(await send(url)).toMatchObject({ status, error: expect.stringContaining("Redirects are not followed") });
    expect(requests).toBe(1);
  });
});

it("of a response of 16 kB, the outcome has the first 2 kB after a success, and everything after a failure", async () => {
  const url = await receiver((request, response) =>
    response.writeHead(request.url === "/ok" ? 200 : 500).end("é".repeat(8_000)),
  );
  expect((await send(`${url}/ok`)).responseBody).toBe("é".repeat(1_000));
  expect((await send(`${url}/not`)).responseBody).toBe("é".repeat(8_000));
});

describe("Retry-After", () => {
  const now = new FakeClock();

  it.each([
    ["120", 120_000],
    [new Date(now.nowMs() + 90_000).toUTCString(), 90_000],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", null],
  ])("of %s is parsed as %j milliseconds", async (header, retryAfterMs) => {
    const url = await receiver((_, response) => void response.writeHead(503, { "Retry-After": header }).end());
    expect(await newSender({ clock: now }).send({ url, body, headers: {} })).toMatchObject({ retryAfterMs });
  });

  it("is ignored on success", async () => {
    const url = await receiver((_, response) => void response.writeHead(200, { "Retry-After": "9" }).end());
    expect(await send(url)).toMatchObject({ error: null, retryAfterMs: null });
  });
});

describe("the response", () => {
  it("of 10 MB is not read to its end: the outcome has 2 kB of it, and the connection is closed", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const url = await receiver((_, response) => {
      response.on("close", resolve).writeHead(200);
      const chunk = Buffer.alloc(64_000, "é");
      let remaining = 10_000_000;
      const more = (): void => {
        while (remaining > 0 && !response.destroyed) {
          remaining -= chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const sender = newSender();
    const outcome = await sender.send({ url, body, headers: {} });
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(Buffer.byteLength(outcome.responseBody)).toBe(maxSuccessBytes);
    await closed;
    expect(await sender.send({ url, body, headers: {} })).toMatchObject({ status: 200, error: null });
  });

  it("is read to its end if it arrives byte by byte", async () => {
    const response = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nreceived";
    const url = await rawReceiver(async (socket) => {
      for (const byte of Buffer.from(response)) {
        socket.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
    });
    expect(await send(url)).toMatchObject({ status: 200, error: null, responseBody: "received" });
  });
});

describe("the final status decides", () => {
  const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  it.each([
    ["100 unasked", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103 with headers", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nContent-Length: 5\r\n\r\n"],
    ["several", `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(3)}HTTP/1.1 199 Own\r\n\r\n`],
    ["as many as are read", "HTTP/1.1 102 Processing\r\n\r\n".repeat(100)],
  ])("after interim responses: %s", async (_, interim) => {
    const sender = newSender();
    const atOnce = await rawReceiver((socket) => socket.write(interim + ok));
    expect(await sender.send({ url: atOnce, body, headers: {} })).toMatchObject({
      status: 200,
      error: null,
      responseBody: "ok",
    });
    const byTurns = await rawReceiver(async (socket) => {
      for (const part of [interim, ok]) {
        socket.write(part);
        await new Promise(setImmediate);
      }
    });
    expect(await sender.send({ url: byTurns, body, headers: {} })).toMatchObject({ status: 200, error: null });
    const refusal = await rawReceiver((socket) => socket.write(`${interim}${ok.replace("200 OK", "500 No")}`));
    expect(await sender.send({ url: refusal, body, headers: {} })).toMatchObject({
      status: 500,
      error: expect.stringContaining("500"),
    });
  });

  const brokenResponses: [string, (socket: Socket, status: string) => void][] = [
    ["is shorter than it says", (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 99\r\n\r\nrec`)],
    [
      "is longer than it says",
      (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nreceived and more`),
    ],
    [
      "ends in the middle of a chunk",
      (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nrec`),
    ],
    [
      "has a malformed chunk",
      (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nrec`),
    ],
    [
      "is no gzip, though it says so",
      (socket, status) =>
        socket.end(`HTTP/1.1 ${status}\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u0000{]`),
    ],
    [
      "is reset after the headers",
      (socket, status) =>
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 99\r\n\r\n`, () => socket.resetAndDestroy()),
    ],
  ];

  it.each(brokenResponses)("when the body %s", async (_, respond) => {
    const success = await send(await rawReceiver((socket) => respond(socket, "202 Accepted")));
    expect(success).toMatchObject({ status: 202, error: null, timedOut: false });
    const refusal = await send(await rawReceiver((socket) => respond(socket, "500 No")));
    expect(refusal).toMatchObject({ status: 500, error: expect.stringContaining("answered 500"), timedOut: false });
  });

  it("when the body does not end within 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: requested, resolve } = Promise.withResolvers<Socket>();
    const url = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nrec");
      resolve(socket);
    });
    const sent = send(url);
    const closeEvent = once(await requested, "close");
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await sent).toMatchObject({ status: 200, error: null, timedOut: false, responseBody: "rec" });
    await closeEvent;
  });
});

describe("a receiver that does not respond in time", () => {
  const timeouts: [string, (socket: Socket) => void, Partial<Outcome>][] = [
    ["sends nothing", () => {}, { status: null, responseBody: "" }],
    [
      "stops in the middle of its headers",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-"),
      { status: null, responseBody: "" },
    ],
    [
      "stops after responses that are not final",
      (socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"),
      { status: null, responseBody: "" },
    ],
  ];

  it.each(timeouts)(
    "times out 15 seconds after the start, and the next delivery succeeds: %s",
    async (_, respond, expected) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { promise: requested, resolve } = Promise.withResolvers<Socket>();
      const responses = [respond, (socket: Socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n")];
      const url = await rawReceiver((socket) => {
        responses.shift()?.(socket);
        resolve(socket);
      });
      const sender = newSender();
      let outcome: Outcome | null = null;
      const sent = sender.send({ url, body, headers: {} }).then((result) => {
        outcome = result;
      });
      const closeEvent = once(await requested, "close");
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(14_999);
      expect(outcome).toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      await sent;
      expect(outcome).toMatchObject({ ...expected, timedOut: true, error: expect.stringContaining("15 seconds") });
      await closeEvent;
      expect(await sender.send({ url, body, headers: {} })).toMatchObject({ status: 204, error: null });
    },
  );

  it("gets no request if it accepts the connection just after the time-out", async () => {
    const received: unknown[] = [];
    const tlsServer = createTlsServer(await certificate({ isTrusted: true }), (request, response) => {
      received.push(request.headers["x-delivery"]);
      response.end();
    });
    const { promise: reached, resolve } = Promise.withResolvers<Socket>();
    const server = createNetServer().once("connection", resolve);
    const url = await listen(server, "https");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sender = newSender();
    const late = sender.send({ url, body, headers: { "X-Delivery": "late" } });
    const socket = await reached;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await late).toMatchObject({ timedOut: true });

    tlsServer.emit("connection", socket);
    server.on("connection", (socket) => tlsServer.emit("connection", socket));
    expect(await sender.send({ url, body, headers: { "X-Delivery": "next" } })).toMatchObject({ error: null });
    expect(received).toEqual(["next"]);
  });

  it("times out after 15 seconds if its name does not resolve", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: addresses, resolve } = Promise.withResolvers<string[]>();
    const sender = newSender({ allowPrivate: false, resolve: () => addresses });
    const sent = sender.send({ url: "https://slow.example.com/", body, headers: {} });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await sent).toMatchObject({ status: null, timedOut: true });
    resolve([]);
  });
});

describe("a receiver that fails", () => {
  it.each<[string, (socket: Socket) => void, Partial<Outcome>]>([
    ["resets the connection", (socket) => socket.resetAndDestroy(), { status: null }],
    ["closes the connection", (socket) => socket.destroy(), { status: null }],
    [
      "closes it after an interim response",
      (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n"),
      { status: null },
    ],
    [
      "sends interim responses without end",
      (socket) => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(101)),
      { status: null, error: expect.stringContaining("more than 100 interim responses") },
    ],
    [
      "switches to another protocol",
      (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"),
      { status: 101 },
    ],
    [
      "has more headers than are read",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`),
      { status: null, error: expect.stringContaining("16 kB of headers") },
    ],
    ["does not speak HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"), { status: null }],
  ])("is reported as a sentence: %s", async (_, respond, expected) => {
    const outcome = await send(await rawReceiver(respond));
    expect(outcome).toMatchObject({ ...expected, timedOut: false });
    expect(outcome.error).toMatch(/^The .+\.$/);
    expect(outcome.error).not.toContain("undefined");
  });

  it("is reported as a sentence when nothing listens", async () => {
    const server = createNetServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await send(url)).toMatchObject({ status: null, error: expect.stringContaining("refused the connection") });
  });

  it("is reported as failed when the sender is closed", async () => {
    const { promise: requested, resolve } = Promise.withResolvers<void>();
    const url = await rawReceiver(() => resolve());
    const sender = newSender();
    const sent = sender.send({ url, body, headers: {} });
    await requested;
    await sender.close();
    expect(await sent).toMatchObject({ status: null, error: expect.stringContaining("the sender stopped") });
  });
});

describe("TLS", () => {
  it("accepts a certificate of a trusted authority for the receiver's name", async () => {
    const url = await tlsReceiver(await certificate({ isTrusted: true }));
    expect(await send(url)).toMatchObject({ status: 200, error: null });
  });

  it.each([
    ["for another name", { isTrusted: true, host: "other.example.com" }, "is for another host name"],
    ["that has expired", { isTrusted: true, issuedMs: Date.now() - 500 * 86_400_000 }, "has expired"],
    ["of an unknown authority", { isTrusted: false }, "could not be traced to a trusted authority"],
  ])("refuses a certificate %s, and sends nothing", async (_, options, reason) => {
    let requests = 0;
    const url = await tlsReceiver(await certificate(options), () => void requests++);
    expect(await send(url)).toMatchObject({ status: null, error: expect.stringContaining(reason) });
    expect(requests).toBe(0);
  });

  it("is reported as missing if the receiver speaks plain HTTP", async () => {
    const url = await rawReceiver((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await send(url.replace("http:", "https:"))).toMatchObject({
      status: null,
      error: expect.stringContaining("No TLS connection"),
    });
  });
});

function newSender(options: Partial<ConstructorParameters<typeof Sender>[0]> = {}): Sender {
  const sender = new Sender({ userAgent: "Test-Webhooks/1.0", allowPrivate: true, clock, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

const send = (url: string, headers = {}): Promise<Outcome> => newSender().send({ url, body, headers });

const tlsReceiver = (
  own: { key: string; cert: string },
  respond: RequestListener = (_, response) => void response.end("ok"),
): Promise<string> => listen(createTlsServer(own, respond), "https");

/** A certificate of an authority that is trusted until the test ends, or of an unknown one. */
async function certificate(options: { isTrusted: boolean; host?: string; issuedMs?: number }) {
  const { isTrusted, host = "localhost", issuedMs = Date.now() } = options;
  const authorityKey = newPrivateKey();
  const authority = { key: authorityKey, cert: await issueAuthority(authorityKey, "Beats", issuedMs) };
  if (isTrusted) {
    const trusted = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...trusted, authority.cert]);
    onTestFinished(() => tls.setDefaultCACertificates(trusted));
  }
  const key = newPrivateKey();
  return { key, cert: await issueServerCertificate(authority, key, [host], issuedMs) };
}

const receiver = (respond: RequestListener): Promise<string> => listen(createServer(respond));

/** Calls `respond` at the first bytes of a request. */
const rawReceiver = (respond: (socket: Socket) => unknown): Promise<string> =>
  listen(createNetServer((socket) => socket.on("error", () => {}).once("data", () => respond(socket))));

async function listen(server: Server, scheme = "http"): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
}
