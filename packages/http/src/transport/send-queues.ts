import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { longestQueueBytes, nameInTable, readSendQueues, type SendQueueTable } from "./send-queue-table.ts";
import { sliceBytes } from "./slices.ts";
import { resetConnection, tcpSocketOf } from "./tcp-socket.ts";

/** Of all large responses together, in the kernel. One alone has at most `maxWindowBytes`, and always a slice. */
export const unreadBudgetBytes = 33_554_432;
/** Until so much of all may be unread, no one waits. Half, so that windows of those that come later fit, too. */
const freeBytes = unreadBudgetBytes / 2;
const maxWindowBytes = 1_048_576;
/** Until a connection has acknowledged more than the kernel of a client that reads nothing takes; then it grows by that. */
const firstWindowBytes = 131_072;
const takenUnreadBytes = 262_144;
/** What a connection may leave in the kernel when it closes: about what is sent before the first acknowledgement. */
const smallBytes = 16_384;
/** Reading the tables takes time in proportion to the connections of the machine: at most a sixth of the time. */
const shortestPauseMs = 10;
const pauseFactor = 5;
/** On a busy machine most of the time is spent waiting for it. */
const longestPauseMs = 100;
const longestWaitMs = 500;
/** A connection is reset when it acknowledges less within this time, while more than a slice is unacknowledged. */
const stallCheckMs = 15_000;
const leastAcknowledgedBytes = 120_000;

const neverAborted = new AbortController().signal;

/** Bytes of one connection, since it was opened. */
interface Acknowledged {
  bytes: number;
  /** What it adds to the sum of what may be unread. */
  unreadBytes: number;
  /** At the last check for stalled ones; null while little was unacknowledged. */
  checkedBytes: number | null;
}

/**
 * What the kernel still keeps of responses, because their clients have not acknowledged it. Node can't bound a socket's
 * send buffer, which Linux lets grow to 4 MB, so large responses wait here for their clients. Elsewhere than on Linux
 * nothing waits.
 */
export class SendQueues {
  readonly #read: () => Promise<SendQueueTable | null>;
  readonly #freeBytes: number;
  readonly #acknowledged = new WeakMap<Socket, Acknowledged>();
  /** Those that have asked for room. */
  readonly #paced = new Set<Socket>();
  /** Of these, what may be unread. */
  #unreadBytes = 0;
  readonly #open = new Set<Socket>();
  #table: SendQueueTable = new Map();
  #isSupported = true;
  #reading: Promise<void> = Promise.resolve();
  /** The reading that has not begun. */
  #next: Promise<void> | null = null;
  #pauseUntilMs = 0;
  #transfers = 0;
  /** Connections that were reset because their clients did not read, since start. */
  resets = 0;

  constructor(read = readSendQueues, free = freeBytes) {
    this.#read = read;
    this.#freeBytes = free;
  }

  /** What large responses of a connection may have unacknowledged; less for each, the more there are of all. */
  windowBytes(socket: Socket): number {
    const share = Math.floor(unreadBudgetBytes / Math.max(1, this.#transfers));
    const earned = firstWindowBytes + Math.max(0, this.#of(socket).bytes - takenUnreadBytes);
    return Math.max(sliceBytes, Math.min(maxWindowBytes, share, earned));
  }

  /** Counts a large response until the returned function is called. */
  begin(): () => void {
    this.#transfers++;
    return () => {
      this.#transfers--;
    };
  }

  /** Checks a connection for stalling until it closes. */
  watch(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /** Bytes that are not acknowledged, of all connections to this port; measured now. */
  async unacknowledgedOf(port: number): Promise<number> {
    await this.#measure();
    const prefix = nameInTable(port, "0.0.0.0", 0).slice(0, 5);
    let bytes = 0;
    for (const [name, queued] of this.#table) if (name.startsWith(prefix)) bytes += queued;
    return bytes;
  }

  /** Whether so many bytes more may be sent, as far as is known without a measurement. */
  hasRoom(socket: Socket, bytes: number): boolean {
    this.#count(socket);
    if (this.#unreadBytes + bytes <= this.#freeBytes) return true;
    return !this.#isAbove(socket, Math.max(0, this.windowBytes(socket) - bytes));
  }

  /** Resolves when so many bytes more may be sent; also when the connection closes, or the signal aborts. */
  async room(socket: Socket, bytes: number, signal: AbortSignal = neverAborted): Promise<void> {
    await this.#until(socket, () => this.hasRoom(socket, bytes), signal);
  }

  /** Closes a connection once its client has all but a little of what was sent; resets it when that takes too long. */
  async closeWhenRead(socket: Socket, limitMs: number, close: () => void): Promise<void> {
    await this.#until(socket, () => this.isRead(socket), AbortSignal.timeout(limitMs));
    if (!this.isRead(socket)) this.#reset(socket);
    else close();
  }

  /** Whether so little is unacknowledged that a connection can be closed at once. */
  isRead(socket: Socket): boolean {
    return !this.#isAbove(socket, smallBytes);
  }

  /** Resets stalled connections every 15 seconds. Returns what ends that. */
  start(): () => void {
    const timer = setInterval(() => void this.resetStalled(), stallCheckMs).unref();
    return () => clearInterval(timer);
  }

  /** Resets the connections that have acknowledged too little since the last check. */
  async resetStalled(): Promise<void> {
    const sent = new Map([...this.#open].map((socket) => [socket, socket.bytesWritten]));
    if (![...sent].some(([socket, bytes]) => bytes - this.#of(socket).bytes > sliceBytes)) return;
    await this.#measure();
    for (const [socket, bytes] of sent) {
      const acknowledged = this.#of(socket);
      this.#note(socket, bytes);
      const before = acknowledged.checkedBytes;
      acknowledged.checkedBytes = bytes - acknowledged.bytes > sliceBytes ? acknowledged.bytes : null;
      if (before === null || acknowledged.checkedBytes === null) continue;
      if (acknowledged.bytes - before < leastAcknowledgedBytes) this.#reset(socket);
    }
  }

  async #until(socket: Socket, isMet: () => boolean, signal: AbortSignal): Promise<void> {
    for (let waitMs = shortestPauseMs; ; waitMs = Math.min(longestWaitMs, 2 * waitMs)) {
      if (signal.aborted || socket.destroyed || isMet()) return;
      const sent = socket.bytesWritten;
      await this.#measure();
      this.#note(socket, sent);
      if (isMet()) return;
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Whether more may be unacknowledged: what was sent since the last measurement counts whole. */
  #isAbove(socket: Socket, bytes: number): boolean {
    return this.#isSupported && socket.bytesWritten - this.#of(socket).bytes > bytes;
  }

  #of(socket: Socket): Acknowledged {
    let known = this.#acknowledged.get(socket);
    if (known === undefined) {
      known = { bytes: 0, unreadBytes: 0, checkedBytes: null };
      this.#acknowledged.set(socket, known);
    }
    return known;
  }

  /** Adds to the sum what may be unread of a connection: no more than a send buffer of the kernel is, and what waits for it. */
  #count(socket: Socket): void {
    if (socket.destroyed) return;
    if (!this.#paced.has(socket)) {
      this.#paced.add(socket);
      socket.once("close", () => {
        this.#paced.delete(socket);
        this.#setUnread(socket, 0);
      });
    }
    this.#setUnread(socket, Math.min(socket.bytesWritten - this.#of(socket).bytes, longestQueueBytes));
  }

  #setUnread(socket: Socket, bytes: number): void {
    const known = this.#of(socket);
    this.#unreadBytes += bytes - known.unreadBytes;
    known.unreadBytes = bytes;
  }

  /** Of the bytes sent before a measurement, those that are in no queue after it were acknowledged. */
  #note(socket: Socket, sentBytes: number): void {
    const { localPort = 0, remoteAddress = "", remotePort = 0 } = socket;
    const queued = this.#table.get(nameInTable(localPort, remoteAddress, remotePort)) ?? 0;
    const known = this.#of(socket);
    known.bytes = Math.max(known.bytes, sentBytes - queued - socket.writableLength);
  }

  /** One reading for all who ask before it begins. */
  #measure(): Promise<void> {
    if (this.#next === null) {
      const reading = this.#reading.then(() => this.#readTable());
      this.#next = reading;
      this.#reading = reading;
    }
    return this.#next;
  }

  async #readTable(): Promise<void> {
    const earlyMs = this.#pauseUntilMs - performance.now();
    if (earlyMs > 0) await sleep(earlyMs, undefined, { ref: false });
    this.#next = null;
    const sent = [...this.#paced].map((socket): [Socket, number] => [socket, socket.bytesWritten]);
    const startedMs = performance.now();
    const table = await this.#read();
    const endedMs = performance.now();
    const pauseMs = Math.max(shortestPauseMs, pauseFactor * (endedMs - startedMs));
    this.#pauseUntilMs = endedMs + Math.min(longestPauseMs, pauseMs);
    if (table === null) this.#isSupported = false;
    else this.#table = table;
    for (const [socket, bytes] of sent) {
      this.#note(socket, bytes);
      this.#count(socket);
    }
  }

  #reset(socket: Socket): void {
    this.resets++;
    resetConnection(tcpSocketOf(socket));
  }
}
