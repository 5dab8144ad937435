import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";

/** Linux's tables of TCP connections: of IPv4 sockets, and of sockets that listen on both IPv6 and IPv4. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];
/** Linux's default maximum of a send buffer. */
const defaultBufferBytes = 4_194_304;
/**
 * `sl: local remote state tx_queue:rx_queue …`, with addresses as hexadecimal 32-bit words in this machine's byte
 * order.
 */
const rows = /: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/g;

/** Unacknowledged bytes in the kernel, by local port and peer. Excludes empty queues. */
export type SendQueueTable = ReadonlyMap<string, number>;

/** Maximum unacknowledged bytes of one connection in the kernel: the third number of `tcp_wmem`, plus a packet. */
export const longestQueueBytes = longestBufferBytes() + 65_536;

function longestBufferBytes(): number {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/tcp_wmem", "latin1").trim().split(/\s+/)[2]) || defaultBufferBytes;
  } catch {
    return defaultBufferBytes;
  }
}

/** Reads the kernel's tables. Returns null on systems without these tables. */
export async function readSendQueues(): Promise<SendQueueTable | null> {
  const texts = await Promise.all(tables.map((file) => readFile(file, "latin1").catch(() => null)));
  return texts.every((text) => text === null) ? null : parseSendQueues(texts.join("\n"));
}

export function parseSendQueues(text: string): SendQueueTable {
  const queues = new Map<string, number>();
  for (const [, port = "", peer = "", bytes = ""] of text.matchAll(rows))
    if (bytes !== "00000000") queues.set(`${port} ${withoutMapping(peer)}`, Number.parseInt(bytes, 16));
  return queues;
}

/** Returns the key of a connection in the table. */
export function nameInTable(localPort: number, remoteAddress: string, remotePort: number): string {
  return `${hexPort(localPort)} ${hexAddress(remoteAddress)}:${hexPort(remotePort)}`;
}

/** Removes the prefix `::ffff:…` of an IPv4 peer in the table of IPv6 sockets. */
const withoutMapping = (peer: string): string => peer.replace(/^0{16}FFFF0000/, "");

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

function hexAddress(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/i, "").split("%", 1)[0] ?? "";
  return isIPv6(text) ? wordsOf(groupBytes(text)) : wordsOf(text.split(".").map(Number));
}

/** Returns the bytes of an IPv6 address in the notation of Node's sockets. */
function groupBytes(address: string): number[] {
  const [left = "", right] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(right === undefined ? 0 : 8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...(right ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Formats each four bytes as the kernel prints a word in network order: reversed on little-endian machines. */
function wordsOf(bytes: readonly number[]): string {
  let hex = "";
  for (let index = 0; index < bytes.length; index += 4) {
    const word = bytes.slice(index, index + 4);
    for (const byte of isLittleEndian ? word.reverse() : word) hex += byte.toString(16).padStart(2, "0");
  }
  return hex.toUpperCase();
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
