import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import type { Target } from "@beatmarket/http/testing/raw-bytes.ts";

// HTTP/2 frames as bytes (RFC 9113 4.1 and 6), for requests that no client library can send.

const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
};
export type FrameType = keyof typeof types;

export const endStream = 1;
export const endHeaders = 4;

export function frame(
  type: FrameType | number,
  flags: number,
  stream: number,
  payload: readonly number[] = [],
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = typeof type === "number" ? type : types[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

const literal = (text: string): number[] => [text.length, ...Buffer.from(text, "latin1")];

/**
 * Encodes headers as HPACK without a table: each field is a literal that is never indexed (RFC 7541 6.2.3). Texts have
 * at most 126 bytes.
 */
export const fields = (list: Readonly<Record<string, string>> | readonly [string, string][]): number[] =>
  (Array.isArray(list) ? list : Object.entries(list)).flatMap(([name, value]) => [
    16,
    ...literal(name),
    ...literal(value),
  ]);

export const getFields = (path: string) => ({
  ":method": "GET",
  ":scheme": "https",
  ":path": path,
  ":authority": "localhost",
});

/** A complete GET as one HEADERS frame. */
export const get = (stream: number, path = "/read", flags = endStream | endHeaders): Buffer =>
  frame("headers", flags, stream, fields(getFields(path)));

export interface ReceivedFrame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** A connection that has sent the preface and empty settings. */
export interface RawConnection {
  socket: TLSSocket;
  received: ReceivedFrame[];
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>;
  /** Resolves to the first frame that matches. */
  next(matching: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame>;
}

export async function openRaw({ port, ca }: Target): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ca, ALPNProtocols: ["h2"] });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "secureConnect");
  const received: ReceivedFrame[] = [];
  let buffered = Buffer.alloc(0);
  socket.on("data", (data: Buffer) => {
    buffered = Buffer.concat([buffered, data]);
    while (buffered.length >= 9 && buffered.length >= 9 + buffered.readUIntBE(0, 3)) {
      const bytes = buffered.readUIntBE(0, 3);
      received.push({
        type: buffered[3] ?? 0,
        flags: buffered[4] ?? 0,
        stream: buffered.readUInt32BE(5),
        payload: buffered.subarray(9, 9 + bytes),
      });
      buffered = buffered.subarray(9 + bytes);
    }
    socket.emit("frames");
  });
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame("settings", 0, 0));
  const next = async (matching: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame> => {
    for (;;) {
      const match = received.find(matching);
      if (match !== undefined) return match;
      await once(socket, "frames");
    }
  };
  return { socket, received, closed, next };
}

/** The code of a RST_STREAM. */
export const resetCode = ({ payload }: ReceivedFrame): number => payload.readUInt32BE(0);

export const isReset = (stream: number) => (one: ReceivedFrame) => one.type === types.reset && one.stream === stream;
