import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, type Socket } from "node:net";
import { Duplex, PassThrough } from "node:stream";
import { connect as connectTls } from "node:tls";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openRoutes, unlimitedConnections } from "../../testing/routes.ts";
import { BodyDiscarder, closeWithLinger } from "../discard.ts";
import { openRoute } from "../pipeline/open-route.ts";
import type { Certificate } from "../tls/certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "../tls/issue.ts";
import { createServer, drain, listen } from "./server.ts";

const received = vi.fn();
const routes = openRoutes([
  openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" }),
  openRoute("/read", () => ({ status: 200, body: "read" })),
  openRoute(
    "/refused",
    () => {
      throw new ApiError(503, "server_error", "Service unavailable", "Try again.");
    },
    { isVital: true, method: "POST" },
  ),
]);

let certificate: Certificate;
let ca = "";
beforeAll(async () => {
  const caKey = newPrivateKey();
  const key = newPrivateKey();
  ca = await issueAuthority(caKey, "Beats", Date.now());
  certificate = { key, cert: await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], Date.now()) };
});

async function serve(isOverTls: boolean) {
  const server = createServer(isOverTls ? certificate : null, routes.handle, unlimitedConnections());
  await listen(server, { port: 0, host: "127.0.0.1" });
  const { port } = server.address() as AddressInfo;
  const connect = async (isClientOverTls = isOverTls): Promise<Socket> => {
    const socket = isClientOverTls
      ? connectTls({ port, host: "127.0.0.1", servername: "localhost", ca })
      : connectTcp(port, "127.0.0.1");
    await once(socket, isClientOverTls ? "secureConnect" : "connect");
    return socket;
  };
  return { connect, close: () => drain(server) };
}

/** Writes a complete request in 16 kB parts before it reads. Returns the response up to the end of the connection. */
async function send(socket: Socket, head: string, bytes: number, isChunked: boolean): Promise<string> {
  const errors: Error[] = [];
  socket.on("error", (error) => errors.push(error));
  socket.write(`${head}Host: x\r\n${isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`}\r\n\r\n`);
  for (let count = 0; count < bytes; count += 16_384) {
    const part = " ".repeat(Math.min(16_384, bytes - count));
    const flushed = new Promise((resolve) => {
      socket.write(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part, resolve);
    });
    await flushed;
  }
  if (isChunked) socket.write("0\r\n\r\n");
  expect(errors).toEqual([]);
  let response = "";
  socket.on("data", (chunk) => {
    response += String(chunk);
  });
  await once(socket, "end");
  return response;
}

/** Returns the next bytes, up to `end`. */
function receive(socket: Socket, end: string): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    const add = (chunk: Buffer) => {
      text += String(chunk);
      if (!text.endsWith(end)) return;
      socket.off("data", add);
      resolve(text);
    };
    socket.on("data", add);
  });
}

describe.each([true, false])("a client that sends a whole body before it reads (TLS: %s)", (isOverTls) => {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(isOverTls);
  });
  afterAll(() => server.close());

  it.each([
    ["too large", "POST /echo", 200_000, false, 413],
    ["too large", "POST /echo", 5_000_000, false, 413],
    ["too large", "POST /echo", 5_000_000, true, 413],
    ["to nowhere", "POST /nowhere", 5_000_000, false, 404],
    ["with another method", "DELETE /echo", 5_000_000, true, 405],
    ["shed", "POST /refused", 5_000_000, false, 503],
    ["of a GET", "GET /read", 5_000_000, false, 200],
    ["without a target", "NONSENSE", 1_000_000, false, 400],
    ["after long headers", `GET /read?${"a".repeat(20_000)}`, 1_000_000, false, 431],
  ])("reads the response to a body %s (%#)", async (_, request, bytes, isChunked, status) => {
    const head = `${request} HTTP/1.1\r\n`;
    const socket = await server.connect();
    expect(await send(socket, head, bytes, isChunked)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*connection: close\r\n.*[}d]$`, "is"),
    );
  });

  it("gets no 100 Continue for a body that is refused by its length, but gets it for any other", async () => {
    for (const [length, end, expected] of [
      [100_001, "}}", /^HTTP\/1\.1 413 .*connection: close/is],
      [2, "\r\n\r\n", /^HTTP\/1\.1 100 Continue\r\n\r\n$/],
    ] as const) {
      const socket = await server.connect();
      socket.write(`POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
      expect(await receive(socket, end)).toMatch(expected);
      if (length === 2) {
        socket.write("{}");
        expect(await receive(socket, "{}")).toMatch(/^HTTP\/1\.1 200 /);
      }
      socket.destroy();
    }
  });

  it("keeps its connection if a refused body is short, even if the rest of the body arrives later", async () => {
    const socket = await server.connect();
    socket.write("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n{");
    expect(await receive(socket, "}}")).toMatch(/^HTTP\/1\.1 404 (?!.*connection: close)/is);
    socket.write("  }GET /read HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await receive(socket, "read")).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

it("plain HTTP on the TLS port gets 400, even with a large body", async () => {
  const server = await serve(true);
  const socket = await server.connect(false);
  expect(await send(socket, "POST /echo HTTP/1.1\r\n", 5_000_000, false)).toMatch(/^HTTP\/1\.1 400 .*\}$/s);
  socket.destroy();
  await server.close();
});

describe("discarding", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function begin(discarder: BodyDiscarder, address = "192.0.2.1", isAnonymous = false) {
    const body = new PassThrough();
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, callback) => callback() });
    discarder.discard(body, { address, isAnonymous }, received, () => closeWithLinger(socket as Socket));
    return { body, socket };
  }
  /** Expects a connection to be half-closed, then closed after the linger time. */
  async function expectClosed({ body, socket }: ReturnType<typeof begin>) {
    expect([body.isPaused(), socket.writableEnded, socket.destroyed]).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(socket.destroyed).toBe(true);
  }

  it("ends, and closes the connection, after 64 MB, after a minute, and if the body is too slow", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const discarder = new BodyDiscarder();
    const large = begin(discarder);
    const part = Buffer.alloc(1_048_576);
    for (let count = 0; count < 65; count++) {
      expect(large.socket.writableEnded).toBe(false);
      large.body.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expectClosed(large);

    const slow = begin(discarder);
    slow.body.write("a");
    await vi.advanceTimersByTimeAsync(5_000);
    await expectClosed(slow);

    const endless = begin(discarder);
    for (let second = 0; second < 60; second++) {
      expect(endless.socket.writableEnded).toBe(false);
      endless.body.write(Buffer.alloc(10_000));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await expectClosed(endless);
    expect(received).not.toHaveBeenCalled();
  });

  it("is limited to 16 bodies of a network and 64 in total; further bodies are not read", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const discarder = new BodyDiscarder();
    const bodies = Array.from({ length: 16 }, () => begin(discarder));
    await expectClosed(begin(discarder));
    for (let other = 2; other < 50; other++) begin(discarder, `192.0.2.${other}`);
    await expectClosed(begin(discarder, "192.0.2.100"));
    bodies[0]?.body.destroy();
    await once(bodies[0]?.body as PassThrough, "close");
    const { socket } = begin(discarder);
    expect(socket.writableEnded).toBe(false);
  });

  it("limits the anonymous bodies of a network to 10 MB a second after 16 MB, and does not limit callers' bodies", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const clock = new FakeClock();
    const discarder = new BodyDiscarder(clock);
    const part = Buffer.alloc(1_048_576);
    const write = async ({ body }: ReturnType<typeof begin>) => {
      body.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const stranger = begin(discarder, "192.0.2.1", true);
    for (let count = 0; count < 16; count++) await write(stranger);
    expect(stranger.body.isPaused()).toBe(false);
    await write(stranger);
    expect(stranger.body.isPaused()).toBe(true);
    const neighbour = begin(discarder, "192.0.2.1", true);
    await write(neighbour);
    expect(neighbour.body.isPaused()).toBe(true);
    const caller = begin(discarder, "192.0.2.1");
    const elsewhere = begin(discarder, "192.0.2.2", true);
    for (const other of [caller, elsewhere]) {
      await write(other);
      expect(other.body.isPaused()).toBe(false);
    }
    clock.advance(1_000);
    await vi.advanceTimersByTimeAsync(100);
    expect(stranger.body.isPaused()).toBe(false);
    await write(stranger);
    expect(stranger.body.isPaused()).toBe(false);
  });
});
