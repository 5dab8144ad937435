import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { type AddressInfo, connect as connectTcp, Socket } from "node:net";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { LocalConnectionCounts, newConnections } from "@beatmarket/http/transport/connection-counts.ts";
import {
  ConnectionLimits,
  maxConnections,
  maxConnectionsOfNetwork,
  maxStrangers,
} from "@beatmarket/http/transport/connection-limits.ts";
import { Registry } from "prom-client";
import { afterEach, expect, it } from "vitest";
import { registerConnections } from "../../src/metrics/capacity-metrics.ts";

const openSockets: Socket[] = [];
let server: Server;
afterEach(() => {
  for (const socket of openSockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

const clock = new FakeClock();
let limits: ConnectionLimits;

async function listen(newServer: Server, standsForMany = (_address: string) => false): Promise<void> {
  server = newServer;
  limits = new ConnectionLimits(new LocalConnectionCounts(clock), standsForMany);
  limits.apply(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connectTcp({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  openSockets.push(socket);
  await once(socket, "connect");
  return socket.resume();
}
const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
const answers = async (socket: Socket) => {
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return String((await once(socket, "data"))[0]);
};

it("a network's connections after the 256th are closed on arrival, and other networks' connections are served", async () => {
  await listen(createHttpServer((_, response) => response.end("served")));
  const [first] = await Promise.all(Array.from({ length: maxConnectionsOfNetwork }, () => open()));
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  await once(await open(), "close");
  expect(await answers(await open("127.0.0.2"))).toContain("served");
  const registry = new Registry();
  registerConnections(limits, registry);
  const metrics = await registry.metrics();
  for (const line of [
    `beatmarket_connections{of="all"} ${maxConnectionsOfNetwork + 1}`,
    `beatmarket_connections{of="network"} ${maxConnectionsOfNetwork}`,
    `beatmarket_connections_max{of="network"} ${maxConnectionsOfNetwork}`,
    "beatmarket_connections_refused_total 1",
  ])
    expect(metrics.split("\n")).toContain(line);
  first?.destroy();
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  expect(await answers(await open())).toContain("served");
});

it("a proxy may have as many connections as its clients need", async () => {
  await listen(
    createHttpServer((_, response) => response.end("served")),
    (address) => address === "127.0.0.1",
  );
  const sockets = await Promise.all(Array.from({ length: maxConnectionsOfNetwork + 5 }, () => open()));
  expect(await answers(sockets.at(-1) as Socket)).toContain("served");
});

it("a network opens 512 connections without a key, and then 50 a second", async () => {
  await listen(createHttpServer((_, response) => response.end("served")));
  const fromOne = async (count: number) => {
    let served = 0;
    for (let accepted = 0; accepted < count; accepted++) {
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

it("connections with a key are not counted, and connections that the server had to close count 25 times", async () => {
  const sockets: Socket[] = [];
  await listen(
    createHttpServer((request, response) => {
      sockets.push(request.socket);
      response.end("served");
    }),
  );
  for (let accepted = 0; accepted < newConnections.burst; accepted++) {
    const socket = await open();
    expect(await answers(socket)).toContain("served");
    socket.destroy();
    const [socketOfServer] = sockets.splice(0);
    // Each request with a key vouches for its connection again.
    if (socketOfServer !== undefined) for (let times = 0; times < 5; times++) limits.vouchFor(socketOfServer);
  }
  expect(await answers(await open())).toContain("served");
  const [last] = sockets;
  if (last !== undefined) for (let times = 0; times < 21; times++) limits.penalize(last);
  await once(await open(), "close");
});

/** A server whose connections are sockets without a network, with any address. */
function acceptor(standsForMany = (_address: string) => false) {
  const limited = createHttpServer();
  limited.removeAllListeners("connection");
  const connectionLimits = new ConnectionLimits(new LocalConnectionCounts(clock), standsForMany);
  connectionLimits.apply(limited);
  const accept = (remoteAddress: string): Socket => {
    const socket = new Socket();
    Object.defineProperties(socket, {
      remoteAddress: { value: remoteAddress },
      resetAndDestroy: { value: socket.destroy },
    });
    limited.emit("connection", socket);
    return socket;
  };
  const acceptMany = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => accept(address(index)));
  return { limits: connectionLimits, accept, many: acceptMany };
}
const isOpen = ({ destroyed }: Socket) => !destroyed;
const group = (index: number) => index.toString(16);

it("a /56 has twice the connections of a /64, a /48 four times, from any of its /64s", async () => {
  const { accept, many: acceptMany } = acceptor();
  const ofA56 = acceptMany(2 * maxConnectionsOfNetwork + 1, (index) => `2001:db8:0:${group(index % 256)}::1`);
  expect(ofA56.filter(isOpen)).toHaveLength(2 * maxConnectionsOfNetwork);
  const ofA48 = acceptMany(3 * maxConnectionsOfNetwork, (index) => `2001:db8:0:${group(256 * (1 + (index % 16)))}::1`);
  expect(ofA48.filter(isOpen)).toHaveLength(2 * maxConnectionsOfNetwork);
  expect(isOpen(accept("2001:db8:1::1"))).toBe(true);
});

it("a network that sent a key is not limited by the connections of other networks of its /48", async () => {
  const { limits: ownLimits, accept, many: acceptMany } = acceptor();
  const customer = accept("2001:db8:0:ff00::1");
  ownLimits.vouchFor(customer);
  acceptMany(8 * maxConnectionsOfNetwork, (index) => `2001:db8:0:${group(index % 65_000)}::1`);
  expect(isOpen(accept("2001:db8:0:ff00::2"))).toBe(true);
  expect(isOpen(accept("2001:db8:0:fe00::2"))).toBe(false);
});

it("strangers of many networks displace the oldest stranger, and never a network that sends or has sent a key", async () => {
  const { limits: ownLimits, accept, many: acceptMany } = acceptor();
  const address = (index: number) => `10.${index % 200}.${Math.floor(index / 40_000)}.1`;
  const early = accept("192.0.2.1");
  ownLimits.vouchFor(early);
  const flood = acceptMany(maxStrangers + 500, address);
  expect(flood.findIndex(isOpen)).toBe(500);
  expect(flood.filter(isOpen)).toHaveLength(maxStrangers);
  expect(ownLimits.displaced).toBe(500);
  // A new stranger displaces another stranger, so that a caller can still connect and send its key.
  const newcomer = accept("198.51.100.7");
  expect(isOpen(newcomer)).toBe(true);
  ownLimits.vouchFor(newcomer);
  acceptMany(500, address);
  expect([early, newcomer].every(isOpen)).toBe(true);
  expect(ownLimits.open.all).toBe(maxStrangers + 2);
});

it("a part of all connections is reserved for networks that sent a key; if these need more, strangers are disconnected", async () => {
  const { limits: ownLimits, accept, many: acceptMany } = acceptor();
  for (let network = 0; network < 60; network++) ownLimits.vouchFor(accept(`192.0.2.${network}`));
  acceptMany(maxStrangers, (index) => `10.0.${index % 60}.1`);
  const knownSockets = acceptMany(maxConnections - maxStrangers - 60, (index) => `192.0.2.${index % 60}`);
  expect(knownSockets.every(isOpen)).toBe(true);
  expect(ownLimits.displaced).toBe(0);
  expect(isOpen(accept("192.0.2.59"))).toBe(true);
  expect(ownLimits.displaced).toBe(1);
  expect(ownLimits.open.all).toBe(maxConnections);
});

it("requests over HTTP/2 also displace strangers", async () => {
  const { limits: ownLimits, accept, many: acceptMany } = acceptor();
  const customer = accept("192.0.2.1");
  ownLimits.vouchFor(customer);
  const flood = acceptMany(maxStrangers, (index) => `10.0.${index % 60}.1`);
  const places = Array.from({ length: maxConnectionsOfNetwork - 1 }, () => ownLimits.takePlace(customer));
  expect(places.every((release) => release !== null)).toBe(true);
  expect(ownLimits.takePlace(customer)).toBeNull();
  const stranger = flood.at(-1) as Socket;
  expect(ownLimits.takePlace(stranger)).not.toBeNull();
  expect(isOpen(flood[0] as Socket)).toBe(false);
  for (const release of places) release?.();
  expect(ownLimits.takePlace(customer)).not.toBeNull();
});

it("a new connection of a network that sent a key displaces a silent one of that network", async () => {
  const { limits: ownLimits, accept, many: acceptMany } = acceptor();
  ownLimits.vouchFor(accept("192.0.2.1"));
  const silentSockets = acceptMany(maxConnectionsOfNetwork, () => "192.0.2.1");
  expect(silentSockets.filter(isOpen)).toHaveLength(maxConnectionsOfNetwork - 1);
  expect(isOpen(silentSockets.at(-1) as Socket)).toBe(true);
});
