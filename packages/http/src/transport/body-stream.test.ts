import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { openRoutes, unlimitedConnections } from "../../testing/routes.ts";
import { maxConcurrent } from "../admission/concurrency-limiter.ts";
import type { Content } from "../http-response.ts";
import { openRoute } from "../pipeline/open-route.ts";
import type { Route } from "../pipeline/route.ts";
import { defaultBodyLimits } from "./request-bytes.ts";
import { createServer, drain, listen } from "./server.ts";

/** How the last body ended. */
let endOfBody: unknown;
/** Called when a handler has read some bytes. */
let onRead = (): void => {};
const streaming = (path: string, read: (body: AsyncIterable<Buffer>) => Promise<Content>): Route => ({
  ...openRoute(path, () => ({ status: 500 })),
  method: "PATCH",
  streamsBody: true,
  handle: ({ streamBody }) => read(streamBody()),
});
const counted = streaming("/counted", async (body) => {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      onRead();
    }
  } catch (error) {
    endOfBody = error;
    throw error;
  }
  return { status: 200, body: String(bytes) };
});
const refused = streaming("/refused", async (body) => {
  for await (const _ of body) throw conflict("No more of this.");
  return { status: 204 };
});
const echo = openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" });
const server = createServer(null, openRoutes([counted, refused, echo]).handle, unlimitedConnections());
await listen(server, { port: 0, host: "127.0.0.1" });
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];
beforeEach(() => {
  endOfBody = undefined;
  onRead = () => {};
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await drain(server);
});

async function send(method: string, path: string, body: string | Buffer, headers = `Content-Length: ${body.length}`) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
  socket.write(body);
  return socket;
}
const response = async (socket: Socket): Promise<string> => String((await once(socket, "data"))[0]);

it("a body larger than the limit of other routes arrives completely", async () => {
  const bytes = defaultBodyLimits.maxBytes * 20;
  expect(await response(await send("PATCH", "/counted", Buffer.alloc(bytes)))).toMatch(
    new RegExp(`^HTTP/1\\.1 200 .*\r\n\r\n${bytes}$`, "s"),
  );
});

it("100 Continue is sent to a client that waits for it, and an absent body is read as empty", async () => {
  const socket = await send("PATCH", "/counted", "", "Content-Length: 2\r\nExpect: 100-continue");
  expect(await response(socket)).toMatch(/^HTTP\/1\.1 100 /);
  socket.write("ab");
  expect(await response(socket)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n2$/s);
  expect(await response(await send("PATCH", "/counted", ""))).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n0$/s);
});

it("the handler gets an error if the connection ends within the body", async () => {
  const first = new Promise<void>((resolve) => {
    onRead = () => resolve();
  });
  const socket = await send("PATCH", "/counted", "a", "Content-Length: 2");
  await first;
  socket.destroy();
  await eventually(() =>
    expect(endOfBody).toMatchObject({ status: 400, details: expect.stringContaining("closed before") }),
  );
});

it("a client that pauses for long while the handler waits for the body gets 408", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const timers = vi.getTimerCount();
  const socket = await send("PATCH", "/counted", "a", "Content-Length: 2");
  await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(timers));
  const answer = response(socket);
  await vi.advanceTimersByTimeAsync(2 * defaultBodyLimits.leastRate.windowMs);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 .*connection: close/is);
});

it("a handler may stop reading early: the response is sent, and the connection serves the next request", async () => {
  const socket = await send("PATCH", "/refused", Buffer.alloc(50_000));
  expect(await response(socket)).toMatch(/^HTTP\/1\.1 409 /);
  socket.write("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok");
  expect(await response(socket)).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
});

it("incomplete bodies hold no permit: other writes are served immediately", async () => {
  for (let slow = 0; slow < maxConcurrent.write + 50; slow++) await send("PATCH", "/counted", "a", "Content-Length: 2");
  expect(await response(await send("POST", "/echo", "{}"))).toMatch(/^HTTP\/1\.1 200 /);
});
