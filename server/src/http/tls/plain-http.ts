import type { Server } from "node:https";
import type { Socket } from "node:net";
import { ApiError } from "../../errors.ts";
import { errorBody } from "../pipeline/error-response.ts";

/** How long a connection may last that has not shown itself to be TLS. */
const patienceMs = 10_000;
const maxHeadBytes = 8_192;
const maxDiscardedBytes = 1_048_576;
const tlsHandshake = 0x16;

/** 400 for a request that did not come over HTTPS. `address` is the URL to call instead, where it is known. */
export const httpsRequired = (address = "https:// in the address"): ApiError =>
  new ApiError(400, "invalid_request", "Invalid request", `HTTPS is required: use ${address}.`, {
    headers: { connection: "close" },
    refusedBy: "https",
  });

/**
 * Makes an HTTPS server answer plain HTTP on its port with 400 and close; whatever else is not TLS is closed without
 * an answer. Call it before anything else listens for "connection".
 */
export function refusePlainHttp(server: Server): void {
  const startTls = server.listeners("connection");
  server.removeAllListeners("connection");
  const notTls = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    notTls.add(socket);
    const deadline = setTimeout(() => socket.destroy(), patienceMs);
    const release = (): void => {
      clearTimeout(deadline);
      notTls.delete(socket);
    };
    const look = (): void => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      socket.off("readable", look);
      socket.unshift(first);
      if (first[0] !== tlsHandshake) {
        refuse(socket);
        return;
      }
      release();
      for (const start of startTls) start.call(server, socket);
    };
    // A connection that its client resets is no fault of ours; it closes by itself.
    socket.on("error", () => {});
    socket.on("close", release);
    socket.on("readable", look);
  });

  // A server that stops waits for requests, and these are none.
  for (const method of ["closeIdleConnections", "closeAllConnections"] as const) {
    const close = server[method].bind(server);
    server[method] = () => {
      for (const socket of notTls) socket.destroy();
      close();
    };
  }
}

function refuse(socket: Socket): void {
  let head = "";
  const collect = (chunk: Buffer): void => {
    head += chunk.toString("latin1");
    const isHttp = couldBeHttp(head);
    if (isHttp && head.includes("\r\n\r\n")) {
      socket.off("data", collect);
      socket.end(answerTo(head));
      discardRest(socket);
    } else if (!isHttp || head.length > maxHeadBytes) {
      socket.destroy();
    }
  };
  socket.on("data", collect);
}

const couldBeHttp = (head: string): boolean => {
  const end = head.indexOf("\r\n");
  return end < 0 ? /^[A-Z]{1,20}( |$)/.test(head) : /^[A-Z]{1,20} \S+ HTTP\/1\.[01]$/.test(head.slice(0, end));
};

function answerTo(head: string): string {
  const error = httpsRequired(secureAddress(head));
  const body = JSON.stringify(errorBody(error));
  return [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    head.startsWith("HEAD ") ? "" : body,
  ].join("\r\n");
}

/** The same address with https, out of the request's own path and Host. */
function secureAddress(head: string): string | undefined {
  const path = /^\S+ (\/[^\s?]*)/.exec(head)?.[1];
  const host = /\r\nhost:[ \t]*([\w.:[\]-]+)[ \t]*\r\n/i.exec(head)?.[1];
  return path === undefined || host === undefined ? undefined : `https://${host}${path}`;
}

// Closing at once with bytes unread resets the connection, and the client might never see the answer.
function discardRest(socket: Socket): void {
  let discarded = 0;
  socket.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > maxDiscardedBytes) socket.destroy();
  });
}
