import { connect as connectTcp } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { Client as HttpClient } from "undici";
import type { Address } from "../stage/client.ts";

/** The address of the strangers. The paying client has another address. */
export const strangersAddress = "127.0.0.2";

/** The number of responses of each status, of requests without a response (`none`), and of `closed` connections. */
export type Tally = Record<string, number>;

/** A stranger opens one connection after another until `untilMs` of `performance.now()`. */
export type Stranger = (flood: Flood, untilMs: number) => Promise<void>;

export interface StrangeRequest {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** The shared state of all strangers of one shape. */
export class Flood {
  readonly address: Address;
  readonly tally: Tally = {};
  #turn = 0;

  constructor(address: Address) {
    this.address = address;
  }

  /** A new number for each request, so that all requests differ. */
  get turn(): number {
    return this.#turn++;
  }

  get port(): number {
    return Number(new URL(this.address.origin).port);
  }

  count(outcome: string | number): void {
    this.tally[outcome] = (this.tally[outcome] ?? 0) + 1;
  }

  /** Sends one request after another over a persistent connection, as fast as the responses come. */
  async repeat(untilMs: number, request: (turn: number) => StrangeRequest): Promise<void> {
    const client = new HttpClient(`https://127.0.0.1:${this.port}`, {
      localAddress: strangersAddress,
      connect: { ca: this.address.ca, servername: "localhost", timeout: 5_000 },
      headersTimeout: 30_000,
      bodyTimeout: 30_000,
    });
    while (performance.now() < untilMs) {
      const { method = "GET", path, headers = {}, body = null } = request(this.turn);
      try {
        const signal = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - performance.now())));
        const response = await client.request({ method, path, headers, body, signal });
        await response.body.dump({ limit: 64 * 1024 * 1024, signal });
        this.count(response.statusCode);
      } catch {
        if (performance.now() >= untilMs) break;
        this.count("none");
        await sleep(20); // The connection was refused, so pause like a real stranger.
      }
    }
    await client.destroy();
  }

  /** Opens TLS connections and passes each to `use`. Opens the next one when the previous one has closed. */
  async connections(untilMs: number, use: (socket: TLSSocket) => void): Promise<void> {
    while (performance.now() < untilMs) {
      const tcp = connectTcp({ port: this.port, host: "127.0.0.1", localAddress: strangersAddress });
      tcp.on("error", () => {});
      const socket = connect({ socket: tcp, servername: "localhost", ca: this.address.ca });
      socket.on("error", () => {});
      socket.once("secureConnect", () => use(socket));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      await Promise.race([closed, sleep(Math.max(1, untilMs - performance.now()), null, { ref: false })]);
      this.count("closed");
      socket.destroy();
      await sleep(20);
    }
  }
}

/** Reads a response at `bytes` a second. */
export function readSlowly(socket: TLSSocket, bytes: number): void {
  socket.pause();
  const timer = setInterval(() => socket.read(bytes), 1_000);
  socket.once("close", () => clearInterval(timer));
}

/** Writes one byte a second after `head`. */
export function writeSlowly(socket: TLSSocket, head: string): void {
  socket.resume();
  socket.write(head);
  const timer = setInterval(() => socket.write(" "), 1_000);
  socket.once("close", () => clearInterval(timer));
}
