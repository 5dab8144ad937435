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
  limits = new ConnectionLimits(new LocalConnectionCounts(clock), standsForMany);
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

it("a network has 256 connections; further ones are closed on arrival, those of other networks are served", async () => {
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

it("connections with a key are not counted, and connections that the server had to close count 25 times", async () => {
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

/** A server whose connections are sockets without a network, with any address. */
function acceptor(standsForMany = (_address: string) => false) {
  const limited = createHttpServer();
  limited.removeAllListeners("connection");
  const made = new ConnectionLimits(new LocalConnectionCounts(clock), standsForMany);
  made.apply(limited);
  const accept = (remoteAddress: string): Socket => {
    const socket = new Socket();
    Object.defineProperties(socket, {
      remoteAddress: { value: remoteAddress },
      resetAndDestroy: { value: socket.destroy },
    });
    limited.emit("connection", socket);
    return socket;
  };
  const many = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => accept(address(index)));
  return { limits: made, accept, many };
}
const isOpen = ({ destroyed }: Socket) => !destroyed;
const group = (index: number) => index.toString(16);

it("a /56 has twice the connections of a /64, a /48 four times, from any of its /64s", async () => {
  const { accept, many } = acceptor();
  const ofA56 = many(2 * maxConnectionsOfNetwork + 1, (index) => `2001:db8:0:${group(index % 256)}::1`);
  expect(ofA56.filter(isOpen)).toHaveLength(2 * maxConnectionsOfNetwork);
  const ofA48 = many(3 * maxConnectionsOfNetwork, (index) => `2001:db8:0:${group(256 * (1 + (index % 16)))}::1`);
  expect(ofA48.filter(isOpen)).toHaveLength(2 * maxConnectionsOfNetwork);
  expect(isOpen(accept("2001:db8:1::1"))).toBe(true);
});

it("a network that sent a key is not limited by the connections of other networks of its /48", async () => {
  const { limits: own, accept, many } = acceptor();
  const customer = accept("2001:db8:0:ff00::1");
  own.vouchFor(customer);
  many(8 * maxConnectionsOfNetwork, (index) => `2001:db8:0:${group(index % 65_000)}::1`);
  expect(isOpen(accept("2001:db8:0:ff00::2"))).toBe(true);
  expect(isOpen(accept("2001:db8:0:fe00::2"))).toBe(false);
});

it("strangers of many networks displace the oldest stranger, and never a network that sends or has sent a key", async () => {
  const { limits: own, accept, many } = acceptor();
  const address = (index: number) => `10.${index % 200}.${Math.floor(index / 40_000)}.1`;
  const early = accept("192.0.2.1");
  own.vouchFor(early);
  const flood = many(maxStrangers + 500, address);
  expect(flood.findIndex(isOpen)).toBe(500);
  expect(flood.filter(isOpen)).toHaveLength(maxStrangers);
  expect(own.displaced).toBe(500);
  // A new stranger displaces another stranger, so that a caller can still connect and send its key.
  const newcomer = accept("198.51.100.7");
  expect(isOpen(newcomer)).toBe(true);
  own.vouchFor(newcomer);
  many(500, address);
  expect([early, newcomer].every(isOpen)).toBe(true);
  expect(own.open.all).toBe(maxStrangers + 2);
});

it("a part of all connections is reserved for networks that sent a key; if these need more, strangers are disconnected", async () => {
  const { limits: own, accept, many } = acceptor();
  for (let network = 0; network < 60; network++) own.vouchFor(accept(`192.0.2.${network}`));
  many(maxStrangers, (index) => `10.0.${index % 60}.1`);
  const known = many(maxConnections - maxStrangers - 60, (index) => `192.0.2.${index % 60}`);
  expect(known.every(isOpen)).toBe(true);
  expect(own.displaced).toBe(0);
  expect(isOpen(accept("192.0.2.59"))).toBe(true);
  expect(own.displaced).toBe(1);
  expect(own.open.all).toBe(maxConnections);
});

it("requests over HTTP/2 also displace strangers", async () => {
  const { limits: own, accept, many } = acceptor();
  const customer = accept("192.0.2.1");
  own.vouchFor(customer);
  const flood = many(maxStrangers, (index) => `10.0.${index % 60}.1`);
  const places = Array.from({ length: maxConnectionsOfNetwork - 1 }, () => own.takePlace(customer));
  expect(places.every((release) => release !== null)).toBe(true);
  expect(own.takePlace(customer)).toBeNull();
  const stranger = flood.at(-1) as Socket;
  expect(own.takePlace(stranger)).not.toBeNull();
  expect(isOpen(flood[0] as Socket)).toBe(false);
  for (const release of places) release?.();
  expect(own.takePlace(customer)).not.toBeNull();
});

it("connections of a network that sent a key displace its silent ones", async () => {
  const { limits: own, accept, many } = acceptor();
  own.vouchFor(accept("192.0.2.1"));
  const silent = many(maxConnectionsOfNetwork, () => "192.0.2.1");
  expect(silent.filter(isOpen)).toHaveLength(maxConnectionsOfNetwork - 1);
  expect(isOpen(silent.at(-1) as Socket)).toBe(true);
});
