import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openRoutes, unlimitedConnections } from "../../testing/routes.ts";
import { openRoute } from "../pipeline/open-route.ts";
import type { Certificate } from "../tls/certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "../tls/issue.ts";
import { ResponseWriter } from "./response-writer.ts";
import { nameInTable, parseSendQueues } from "./send-queue-table.ts";
import { SendQueues, unreadBudgetBytes } from "./send-queues.ts";
import { createServer, drain, listen } from "./server.ts";
import { sliceBytes } from "./slices.ts";

const isLinux = existsSync("/proc/net/tcp");
const large = Buffer.alloc(8_000_000, "a");
let certificate: Certificate;
beforeAll(async () => {
  const caKey = newPrivateKey();
  const key = newPrivateKey();
  const ca = await issueAuthority(caKey, "Beats", Date.now());
  certificate = { key, cert: await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], Date.now()) };
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(isOverTls: boolean) {
  // Without a free budget, every connection waits for acknowledgements.
  const queues = new SendQueues(undefined, 0);
  const route = openRoute("/large", () => ({ status: 200, body: large }));
  const routes = openRoutes([route], undefined, new ResponseWriter(queues));
  const server = createServer(isOverTls ? certificate : null, routes.handle, unlimitedConnections(), queues);
  await listen(server, { port: 0, host: "127.0.0.1" });
  closers.push(async () => {
    server.closeAllConnections();
    await drain(server);
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (connection: string): Promise<Socket> => {
    const socket = isOverTls
      ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
      : connect({ port, host: "127.0.0.1" });
    closers.push(() => socket.destroy());
    await once(
      socket.on("error", () => {}),
      isOverTls ? "secureConnect" : "connect",
    );
    socket.write(`GET /large HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`);
    return socket;
  };
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { queues, port, ask, connections };
}

describe.runIf(isLinux).each([false, true])("responses that are not read (over TLS: %s)", (isOverTls) => {
  it("stay within their budget in the kernel, and are reset, which frees the memory", async () => {
    const { queues, port, ask, connections } = await serve(isOverTls);
    await Promise.all(Array.from({ length: 40 }, () => ask("keep-alive")));
    let before = -1;
    await expect
      .poll(async () => {
        const bytes = await queues.unacknowledgedOf(port);
        const isSteady = bytes > 0 && bytes === before;
        before = bytes;
        return isSteady;
      })
      .toBe(true);
    // The first 128 kB of each, plus the overhead of TLS.
    expect(before).toBeLessThan(40 * 140_000);
    // The second check finds that nothing was acknowledged since the first.
    await queues.resetStalled();
    await queues.resetStalled();
    await expect.poll(connections).toBe(0);
    expect(queues.resets).toBe(40);
    expect(await queues.unacknowledgedOf(port)).toBe(0);
  });

  it.each(["keep-alive", "close"])("arrive completely if they are read later (Connection: %s)", async (connection) => {
    const { queues, ask } = await serve(isOverTls);
    const socket = await ask(connection);
    let bytes = 0;
    let head = "";
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (head === "") head = chunk.toString("latin1");
      bytes += chunk.length;
      if (bytes >= large.length + head.indexOf("\r\n\r\n") + 4) break;
    }
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(bytes).toBe(large.length + head.indexOf("\r\n\r\n") + 4);
    expect(queues.resets).toBe(0);
  });
});

/** A fake connection that has sent `bytesWritten`. */
function connection(bytesWritten: number, remotePort = 50_000) {
  const socket = new Socket();
  Object.defineProperties(socket, {
    bytesWritten: { value: bytesWritten, writable: true },
    localPort: { value: 8443 },
    remoteAddress: { value: "192.0.2.7" },
    remotePort: { value: remotePort },
    resetAndDestroy: { value: vi.fn(() => socket.destroy()) },
  });
  return socket;
}
const name = nameInTable(8443, "192.0.2.7", 50_000);

describe("closing", () => {
  it("waits until the client has read all but a small rest", async () => {
    const queueSizes = [400_000, 200_000, 10_000];
    const queues = new SendQueues(async () => new Map([[name, queueSizes.shift() ?? 0]]));
    const close = vi.fn();
    const socket = connection(500_000);
    expect(queues.isRead(socket)).toBe(false);
    await queues.closeWhenRead(socket, 60_000, close);
    expect(close).toHaveBeenCalledOnce();
    expect(queueSizes).toEqual([]);
    expect(queues.isRead(socket)).toBe(true);
    expect(socket.resetAndDestroy).not.toHaveBeenCalled();
  });

  it("resets the connection of a client that does not read", async () => {
    const queues = new SendQueues(async () => new Map([[name, 400_000]]));
    const close = vi.fn();
    const socket = connection(500_000);
    await queues.closeWhenRead(socket, 20, close);
    expect(close).not.toHaveBeenCalled();
    expect(socket.resetAndDestroy).toHaveBeenCalledOnce();
  });

  it("does not wait, and neither does sending, if the kernel has no tables of send queues", async () => {
    const queues = new SendQueues(async () => null);
    const close = vi.fn();
    await queues.closeWhenRead(connection(50_000_000), 60_000, close);
    expect(close).toHaveBeenCalledOnce();
    await queues.room(connection(50_000_000), sliceBytes, new AbortController().signal);
  });
});

it("a window grows by the acknowledged bytes, within a share of the budget", async () => {
  const queues = new SendQueues(async () => new Map([[name, 50_000]]), 0);
  const socket = connection(400_000);
  const { signal } = new AbortController();
  expect(queues.windowBytes(socket)).toBe(131_072);
  await queues.room(socket, sliceBytes, signal);
  expect(queues.windowBytes(socket)).toBe(131_072 + 350_000 - 262_144);
  Object.assign(socket, { bytesWritten: 3_000_000 });
  await queues.room(socket, sliceBytes, signal);
  expect(queues.windowBytes(socket)).toBe(1_048_576);
  const ends = Array.from({ length: 128 }, () => queues.begin());
  expect(queues.windowBytes(socket)).toBe(unreadBudgetBytes / 128);
  for (let more = 0; more < 1_000; more++) ends.push(queues.begin());
  expect(queues.windowBytes(socket)).toBe(sliceBytes);
  for (const end of ends) end();
  expect(queues.windowBytes(socket)).toBe(1_048_576);
});

it("connections wait only if much may be unread in total, and only until a measurement shows that their clients have read", async () => {
  let readings = 0;
  const queues = new SendQueues(async () => {
    readings++;
    return new Map([[name, 900_000]]);
  });
  const fast = connection(0, 50_001);
  const unread = connection(0);
  // A connection that keeps up never has more unread than a send buffer holds, however much it was sent.
  for (let count = 0; count < 100_000_000; count += sliceBytes) {
    Object.assign(fast, { bytesWritten: count });
    expect(queues.hasRoom(fast, sliceBytes)).toBe(true);
  }
  const others = Array.from({ length: 3 }, (_, index) => connection(50_000_000, 50_002 + index));
  for (const socket of others) queues.hasRoom(socket, sliceBytes);
  Object.assign(unread, { bytesWritten: 1_000_000 });
  expect(queues.hasRoom(unread, sliceBytes)).toBe(false);
  expect(readings).toBe(0);
  await queues.room(unread, sliceBytes);
  expect(readings).toBe(1);
  for (const socket of [fast, unread, ...others]) expect(queues.hasRoom(socket, sliceBytes)).toBe(true);
});

it("bytes of a closed connection no longer count", async () => {
  const queues = new SendQueues(async () => new Map());
  const sockets = Array.from({ length: 5 }, (_, index) => connection(50_000_000, 50_000 + index));
  for (const socket of sockets) queues.hasRoom(socket, sliceBytes);
  expect(queues.hasRoom(connection(1_000_000, 60_000), sliceBytes)).toBe(false);
  for (const socket of sockets) {
    socket.destroy();
    await once(socket, "close");
  }
  expect(queues.hasRoom(connection(1_000_000, 60_000), sliceBytes)).toBe(true);
});

it("a connection is reset only if it acknowledges too little between two checks, however much is unacknowledged", async () => {
  let queuedBytes = 900_000;
  const queues = new SendQueues(async () => new Map([[name, queuedBytes]]));
  const socket = connection(1_000_000);
  queues.watch(socket);
  await queues.resetStalled();
  queuedBytes = 700_000;
  await queues.resetStalled();
  expect(socket.resetAndDestroy).not.toHaveBeenCalled();
  queuedBytes = 650_000;
  await queues.resetStalled();
  expect(socket.resetAndDestroy).toHaveBeenCalledOnce();
});

it("Linux's tables are read for IPv4 peers of either kind of socket, and for IPv6", () => {
  const table = parseSendQueues(
    [
      "   0: 0100007F:20FB 0700000A:C350 01 0000F600:00000000 00:00000000 00000000     0        0 1060 1",
      "   1: 0000000000000000FFFF00000100007F:20FB 0000000000000000FFFF00000800000A:C351 01 0039B600:00000000 04:0",
      "   2: B80D0120000000000000000001000000:20FB B80D0120000000000000000009000000:C352 01 00000010:00000000 00:0",
      "   3: 00000000:20FB 00000000:0000 0A 00000000:00000000 00:00000000",
    ].join("\n"),
  );
  expect(table).toEqual(
    new Map([
      [nameInTable(8443, "10.0.0.7", 50_000), 0xf600],
      [nameInTable(8443, "::ffff:10.0.0.8", 50_001), 0x39b600],
      [nameInTable(8443, "2001:db8::9", 50_002), 16],
    ]),
  );
});
