import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { type AddressInfo, connect as connectTcp, type Socket } from "node:net";
import { Registry } from "prom-client";
import { afterEach, expect, it } from "vitest";
import { FakeClock } from "../../../test/harness/fake-clock.ts";
import { registerConnections } from "../../metrics/capacity-metrics.ts";
import { ConnectionLimits, maxConnectionsOfNetwork, newConnections } from "./connection-limits.ts";

const opened: Socket[] = [];
let server: Server;
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const clock = new FakeClock();
let limits: ConnectionLimits;

async function listen(made: Server, standsForMany = (_address: string) => false): Promise<void> {
  server = made;
  limits = new ConnectionLimits(clock, standsForMany);
  limits.apply(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connectTcp({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  opened.push(socket);
  await once(socket, "connect");
  return socket.resume();
}
const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
const answers = async (socket: Socket) => {
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return String((await once(socket, "data"))[0]);
};

it("a network has 256 connections; further ones are closed as they come, those of others are served", async () => {
  await listen(createHttpServer((_, response) => response.end("served")));
  const [first] = await Promise.all(Array.from({ length: maxConnectionsOfNetwork }, () => open()));
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  await once(await open(), "close");
  expect(await answers(await open("127.0.0.2"))).toContain("served");
  const registry = new Registry();
  registerConnections(limits, registry);
  const shown = await registry.metrics();
  for (const line of [
    `beatmarket_connections{of="all"} ${maxConnectionsOfNetwork + 1}`,
    `beatmarket_connections{of="network"} ${maxConnectionsOfNetwork}`,
    `beatmarket_connections_max{of="network"} ${maxConnectionsOfNetwork}`,
    "beatmarket_connections_refused_total 1",
  ])
    expect(shown.split("\n")).toContain(line);
  first?.destroy();
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  expect(await answers(await open())).toContain("served");
});

it("a proxy may have as many as its clients need", async () => {
  await listen(
    createHttpServer((_, response) => response.end("served")),
    (address) => address === "127.0.0.1",
  );
  const sockets = await Promise.all(Array.from({ length: maxConnectionsOfNetwork + 5 }, () => open()));
  expect(await answers(sockets.at(-1) as Socket)).toContain("served");
});

it("a network opens 512 connections that bring no key, and then 50 a second", async () => {
  await listen(createHttpServer((_, response) => response.end("served")));
  const fromOne = async (count: number) => {
    let served = 0;
    for (let made = 0; made < count; made++) {
      const socket = await open();
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      served += await Promise.race([once(socket, "data").then(() => 1), once(socket, "close").then(() => 0)]);
      socket.destroy();
    }
    return served;
  };
  expect(await fromOne(newConnections.burst + 3)).toBe(newConnections.burst);
  expect(await answers(await open("127.0.0.2"))).toContain("served");
  clock.advance(1_000);
  expect(await fromOne(newConnections.perSecond + 3)).toBe(newConnections.perSecond);
});

it("connections that bring a key are not counted, those that had to be closed count 25 times", async () => {
  const sockets: Socket[] = [];
  await listen(
    createHttpServer((request, response) => {
      sockets.push(request.socket);
      response.end("served");
    }),
  );
  for (let made = 0; made < newConnections.burst; made++) {
    const socket = await open();
    expect(await answers(socket)).toContain("served");
    socket.destroy();
    const [own] = sockets.splice(0);
    if (own !== undefined) for (const _ of "again") limits.vouchFor(own);
  }
  expect(await answers(await open())).toContain("served");
  const [last] = sockets;
  if (last !== undefined) for (let times = 0; times < 21; times++) limits.penalize(last);
  await once(await open(), "close");
});
