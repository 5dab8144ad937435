import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { testApi } from "../harness/api.ts";

/** Sends a request on a connection and resolves to the complete response. */
async function ask(socket: Socket, key: string): Promise<string> {
  socket.write(`GET /v1/genres HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  let response = "";
  while (!response.endsWith("]}}")) response += String((await once(socket, "data"))[0]);
  return response;
}

it("a stopping server still responds on open connections, with Connection: close", async () => {
  const api = await testApi();
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = api.app.server.address() as AddressInfo;
  const sockets = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (const socket of sockets) {
    expect(await ask(socket, api.key)).toMatch(/^HTTP\/1.1 200 (?!.*connection: close)/is);
  }
  const stopped = api.app.close();
  const ends = sockets.map((socket) => once(socket, "end"));
  // The server sees both as idle, but requests may be on their way.
  for (const socket of sockets) expect(await ask(socket, api.key)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  await Promise.all(ends);
  await stopped;
});

it("a stopping server does not wait for idle connections", async () => {
  const api = await testApi();
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1");
  await ask(socket, api.key);
  const ended = once(socket, "end");
  await api.app.close();
  await ended;
});
