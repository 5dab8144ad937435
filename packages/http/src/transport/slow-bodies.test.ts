import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { openRoutes, unlimitedConnections } from "../../testing/routes.ts";
import { maxConcurrent } from "../admission/concurrency-limiter.ts";
import { openRoute } from "../pipeline/open-route.ts";
import { defaultBodyLimits } from "./request-bytes.ts";
import { createServer, drain, listen } from "./server.ts";

const echo = openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" });
const server = createServer(null, openRoutes([echo]).handle, unlimitedConnections());
await listen(server, { port: 0, host: "127.0.0.1" });
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await drain(server);
});

async function post(body: string, length = body.length): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(`POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

it("incomplete bodies hold no permit: other writes are served immediately", async () => {
  for (let slow = 0; slow < maxConcurrent.write + 50; slow++) await post("{", 2);
  const [response] = await once(await post("{}"), "data");
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
});

it("a body that pauses for long gets 408, and the connection ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const timers = vi.getTimerCount();
  const socket = await post("{", 2);
  await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(timers + 1));
  const response = once(socket, "data");
  // The server may reset the connection, because the client has not sent the whole body.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await vi.advanceTimersByTimeAsync(defaultBodyLimits.leastRate.windowMs);
  expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 408 .*connection: close/is);
  socket.end();
  await closed;
});
