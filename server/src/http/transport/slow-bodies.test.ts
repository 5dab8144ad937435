import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { openRoutes } from "../../../test/harness/routes.ts";
import { maxConcurrent } from "../admission/concurrency-limiter.ts";
import { openRoute } from "../pipeline/open-route.ts";
import { createServer, drain, listen } from "./server.ts";

const echo = openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" });
const server = createServer(null, openRoutes([echo]).handle);
await listen(server, { port: 0, host: "127.0.0.1" });
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];
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

it("bodies on their way hold no permit: other writes are served at once", async () => {
  for (let slow = 0; slow < maxConcurrent.write + 50; slow++) await post("{", 2);
  const [response] = await once(await post("{}"), "data");
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
});

it("413 for a body that is announced as too long, and for one that becomes so, and the connection ends", async () => {
  for (const socket of [await post("{", 100_001), await post("x".repeat(150_000), 150_000)]) {
    const [response] = await once(socket, "data");
    expect(String(response)).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
    await once(socket, "close");
  }
});
