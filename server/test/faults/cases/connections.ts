import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { Fault } from "../fault.ts";
import { type Address, Client, countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";
import { percentile } from "./overload.ts";
import { residentMb } from "./receivers.ts";

/** The number of connections of each kind; 5,000 in all. */
const copies = { whole: 1_250, short: 20 };
const honestClients = 8;
/** The maximum time that the server waits for a connection that sends nothing, or too little (docs/operating.md). */
const closeTimeoutMs = 40_000;
const memoryGrowthLimitMb = 500;
const honestP99LimitMs = 1_000;
const trickleEveryMs = 2_000;
/** The number of connections that are opened concurrently. */
const openedAtOnce = 50;

export const connections: Fault = {
  name: "connections",
  about: "5,000 connections send nothing, stop in the handshake, or send headers or bodies byte by byte",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, 100);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const key = await makeKey(db, "slow@example.com");
    const port = Number(new URL(server.address.origin).port);
    const beforeMb = await residentMb(server.child.pid);

    const honestLoad = await serveHonestClients(server.address, await makeKey(db, "honest@example.com"));
    await sleep(1_000);
    const request = `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
    const kinds: Record<string, () => Promise<Socket>> = {
      "that send nothing": () => tcp(port),
      "that stop in the handshake": async () => {
        const socket = await tcp(port);
        socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
        return socket;
      },
      "with slow headers": async () => {
        const socket = await tls(port, server.address.ca);
        trickle(socket, `GET /v1/beats HTTP/1.1\r\nHost: localhost\r\nX-Slow: `, "a");
        return socket;
      },
      "with slow bodies": async () => {
        const socket = await tls(port, server.address.ca);
        const head = `${request}Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n{`;
        trickle(socket, head, " ");
        return socket;
      },
    };
    const open: Record<string, Socket[]> = {};
    for (const [kind, start] of Object.entries(kinds)) {
      const sockets: Socket[] = [];
      for (let openedCount = 0; openedCount < copies[extent]; openedCount += openedAtOnce) {
        const count = Math.min(openedAtOnce, copies[extent] - openedCount);
        sockets.push(...(await Promise.all(Array.from({ length: count }, start))));
      }
      open[kind] = sockets;
    }
    stage.onClose(async () => {
      for (const sockets of Object.values(open)) for (const socket of sockets) socket.destroy();
    });
    const largestMb = await residentMb(server.child.pid);
    const allSockets = Object.values(open).flat();
    const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;
    if (extent === "whole") {
      for (const untilMs = performance.now() + closeTimeoutMs; allSockets.some(isOpen) && performance.now() < untilMs; )
        await sleep(500);
      for (const [kind, sockets] of Object.entries(open)) {
        const openCount = sockets.filter(isOpen).length;
        report.check(`open connections ${kind}`, openCount === 0, `${openCount} of ${sockets.length}`);
      }
    }
    const replies = await honestLoad.stop();
    report.check(
      "responses to honest clients",
      replies.every(({ status }) => status === 200),
      countStatuses(replies),
    );
    const waits = replies.map(({ sentMs, endedMs }) => endedMs - sentMs);
    report.bound("p99 of honest clients", percentile(waits, 0.99), honestP99LimitMs, "ms");
    report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    report.bound("memory grew by", largestMb - beforeMb, memoryGrowthLimitMb, "MB");
  },
};

async function serveHonestClients(address: Address, key: string) {
  const replies: Reply[] = [];
  let isOver = false;
  const loops = Array.from({ length: honestClients }, async (_, index) => {
    const client = new Client(address, key);
    for (let turn = index; !isOver; turn++) {
      replies.push(await client.get(turn % 2 === 0 ? "/beats?limit=20" : `/search?q=golden+${turn % 50}`));
      await sleep(50);
    }
    await client.close();
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return replies;
    },
  };
}

async function tcp(port: number): Promise<Socket> {
  const socket = connectTcp(port, "127.0.0.1");
  await once(socket, "connect");
  return drained(socket);
}

async function tls(port: number, ca: string): Promise<Socket> {
  const socket = connectTls({ port, host: "127.0.0.1", servername: "localhost", ca });
  await once(socket, "secureConnect");
  return drained(socket);
}

/** Discards what it reads, and treats a reset as an end. */
function drained(socket: Socket): Socket {
  socket.on("error", () => {});
  return socket.resume();
}

function trickle(socket: Socket, head: string, drop: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), trickleEveryMs);
  socket.on("close", () => clearInterval(timer));
}
