import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { longestQueueBytes, nameInTable, readSendQueues, type SendQueueTable } from "./send-queue-table.ts";
import { sliceBytes } from "./slices.ts";
import { resetConnection, tcpSocketOf } from "./tcp-socket.ts";

/**
 * Budget of all large responses together, in the kernel. The window of a single connection has at most
 * `maxWindowBytes`, and at least a slice.
 */
export const unreadBudgetBytes = 33_554_432;
/**
 * No connection waits while fewer bytes than this may be unread in total. Half of the budget, so that the windows of
 * later connections fit.
 */
export const freeBytes = unreadBudgetBytes / 2;
const maxWindowBytes = 1_048_576;
/**
 * The first window of a connection. It grows with the acknowledged bytes beyond those that the kernel of a client
 * accepts although the client reads nothing.
 */
const firstWindowBytes = 131_072;
const clientBufferBytes = 262_144;
/**
 * Bytes that a closing connection may leave in the kernel: about as many as are sent before the first acknowledgement.
 */
const smallBytes = 16_384;
/**
 * Reading the tables takes time in proportion to the machine's connections. The pauses limit it to a sixth of the time.
 */
const shortestPauseMs = 10;
const pauseFactor = 5;
/** Limits the pause, since on a busy machine the measured time is mostly waiting time. */
const longestPauseMs = 100;
const longestWaitMs = 500;
const stallCheckMs = 15_000;
/** A connection is reset if it acknowledges less within `stallCheckMs` while more than a slice is unacknowledged. */
const leastAcknowledgedBytes = 120_000;

const neverAborted = new AbortController().signal;

/** Byte counts of one connection, since it was opened. */
interface AcknowledgedBytes {
  bytes: number;
  /** The connection's part of the total that may be unread. */
  unreadBytes: number;
  /** Acknowledged bytes at the last check for stalls; null while little was unacknowledged. */
  checkedBytes: number | null;
}

/**
 * Tracks the unacknowledged bytes in the kernel. Node cannot limit a socket's send buffer, which grows to 4 MB on
 * Linux, so large responses wait here for acknowledgements. On other systems than Linux they do not wait.
 */
export class SendQueues {
  readonly #read: () => Promise<SendQueueTable | null>;
  readonly #freeBytes: number;
  readonly #budgetBytes: number;
  readonly #acknowledged = new WeakMap<Socket, AcknowledgedBytes>();
  /** Connections that have requested room. */
  readonly #paced = new Set<Socket>();
  /** Bytes that may be unread on the connections of `#paced`. */
  #unreadBytes = 0;
  readonly #open = new Set<Socket>();
  #table: SendQueueTable = new Map();
  #isSupported = true;
  #reading: Promise<void> = Promise.resolve();
  /** The next measurement, until it begins. */
  #next: Promise<void> | null = null;
  #pauseUntilMs = 0;
  #transfers = 0;
  /** Number of connections that were reset because their clients did not read, since start. */
  resets = 0;

  /** `threads`: the number of threads that send. Each thread gets an equal share of the budget. */
  constructor(read = readSendQueues, free = freeBytes, threads = 1) {
    this.#read = read;
    this.#freeBytes = Math.floor(free / threads);
    this.#budgetBytes = Math.floor(unreadBudgetBytes / threads);
  }

  /**
   * The maximum unacknowledged bytes of a connection with large responses. Shrinks with the number of transfers.
   */
  windowBytes(socket: Socket): number {
    const share = Math.floor(this.#budgetBytes / Math.max(1, this.#transfers));
    const earned = firstWindowBytes + Math.max(0, this.#acknowledgedOf(socket).bytes - clientBufferBytes);
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

  /** Returns the unacknowledged bytes of all connections to this port, from a new measurement. */
  async unacknowledgedOf(port: number): Promise<number> {
    await this.#measure();
    const prefix = nameInTable(port, "0.0.0.0", 0).slice(0, 5);
    let bytes = 0;
    for (const [name, queued] of this.#table) if (name.startsWith(prefix)) bytes += queued;
    return bytes;
  }

  /** Whether `bytes` more may be sent, according to the last measurement. */
  hasRoom(socket: Socket, bytes: number): boolean {
    this.#count(socket);
    if (this.#unreadBytes + bytes <= this.#freeBytes) return true;
    return !this.#isAbove(socket, Math.max(0, this.windowBytes(socket) - bytes));
  }

  /** Resolves when `bytes` more may be sent, when the connection closes, or when the signal aborts. */
  async room(socket: Socket, bytes: number, signal: AbortSignal = neverAborted): Promise<void> {
    await this.#until(socket, () => this.hasRoom(socket, bytes), signal);
  }

  /** Closes a connection when its client has acknowledged all but a small rest. Resets it after `limitMs`. */
  async closeWhenRead(socket: Socket, limitMs: number, close: () => void): Promise<void> {
    await this.#until(socket, () => this.isRead(socket), AbortSignal.timeout(limitMs));
    if (!this.isRead(socket)) this.#reset(socket);
    else close();
  }

  /** Whether so little is unacknowledged that the connection can be closed immediately. */
  isRead(socket: Socket): boolean {
    return !this.#isAbove(socket, smallBytes);
  }

  /** Resets stalled connections every 15 seconds. Returns a function that ends these checks. */
  start(): () => void {
    const timer = setInterval(() => void this.resetStalled(), stallCheckMs).unref();
    return () => clearInterval(timer);
  }

  /** Resets the connections that have acknowledged too little since the last check. */
  async resetStalled(): Promise<void> {
    const writtenBytes = new Map([...this.#open].map((socket) => [socket, socket.bytesWritten]));
    if (![...writtenBytes].some(([socket, bytes]) => bytes - this.#acknowledgedOf(socket).bytes > sliceBytes)) return;
    await this.#measure();
    for (const [socket, bytes] of writtenBytes) {
      const acknowledged = this.#acknowledgedOf(socket);
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
      const writtenBytes = socket.bytesWritten;
      await this.#measure();
      this.#note(socket, writtenBytes);
      if (isMet()) return;
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Whether more than `bytes` may be unacknowledged. Counts all bytes sent since the last measurement. */
  #isAbove(socket: Socket, bytes: number): boolean {
    return this.#isSupported && socket.bytesWritten - this.#acknowledgedOf(socket).bytes > bytes;
  }

  #acknowledgedOf(socket: Socket): AcknowledgedBytes {
    let acknowledged = this.#acknowledged.get(socket);
    if (acknowledged === undefined) {
      acknowledged = { bytes: 0, unreadBytes: 0, checkedBytes: null };
      this.#acknowledged.set(socket, acknowledged);
    }
    return acknowledged;
  }

  /**
   * Updates a connection's part of the total that may be unread: the bytes sent since the last acknowledgement, at most
   * a send buffer of the kernel.
   */
  #count(socket: Socket): void {
    if (socket.destroyed) return;
    if (!this.#paced.has(socket)) {
      this.#paced.add(socket);
      socket.once("close", () => {
        this.#paced.delete(socket);
        this.#setUnread(socket, 0);
      });
    }
    this.#setUnread(socket, Math.min(socket.bytesWritten - this.#acknowledgedOf(socket).bytes, longestQueueBytes));
  }

  #setUnread(socket: Socket, bytes: number): void {
    const acknowledged = this.#acknowledgedOf(socket);
    this.#unreadBytes += bytes - acknowledged.unreadBytes;
    acknowledged.unreadBytes = bytes;
  }

  /** Updates the acknowledged bytes: those that were sent before the measurement and are no longer in a queue. */
  #note(socket: Socket, sentBytes: number): void {
    const { localPort = 0, remoteAddress = "", remotePort = 0 } = socket;
    const queued = this.#table.get(nameInTable(localPort, remoteAddress, remotePort)) ?? 0;
    const acknowledged = this.#acknowledgedOf(socket);
    acknowledged.bytes = Math.max(acknowledged.bytes, sentBytes - queued - socket.writableLength);
  }

  /** Resolves after a measurement that begins after this call. Calls share it until it begins. */
  #measure(): Promise<void> {
    if (this.#next === null) {
      const reading = this.#reading.then(() => this.#readTable());
      this.#next = reading;
      this.#reading = reading;
    }
    return this.#next;
  }

  async #readTable(): Promise<void> {
    const remainingPauseMs = this.#pauseUntilMs - performance.now();
    if (remainingPauseMs > 0) await sleep(remainingPauseMs, undefined, { ref: false });
    this.#next = null;
    const writtenBytes = [...this.#paced].map((socket): [Socket, number] => [socket, socket.bytesWritten]);
    const startedMs = performance.now();
    const table = await this.#read();
    const endedMs = performance.now();
    const pauseMs = Math.max(shortestPauseMs, pauseFactor * (endedMs - startedMs));
    this.#pauseUntilMs = endedMs + Math.min(longestPauseMs, pauseMs);
    if (table === null) this.#isSupported = false;
    else this.#table = table;
    for (const [socket, bytes] of writtenBytes) {
      this.#note(socket, bytes);
      this.#count(socket);
    }
  }

  #reset(socket: Socket): void {
    this.resets++;
    resetConnection(tcpSocketOf(socket));
  }
}
