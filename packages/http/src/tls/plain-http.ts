import type { Server } from "node:https";
import type { Socket } from "node:net";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { BodyDiscarder, closeWithLinger } from "../discard.ts";
import { errorBody } from "../error-response.ts";

/** Time limit for the first TLS byte or a complete HTTP head. */
const firstBytesTimeoutMs = 10_000;
const maxHeadBytes = 8_192;
const tlsHandshake = 0x16;

/** Creates the 400 of a plain HTTP request. `address`: the correct URL, if it is known. */
export const httpsRequired = (address = "https:// in the address"): ApiError =>
  new ApiError(400, "invalid_request", "Invalid request", `HTTPS is required: use ${address}.`, {
    headers: { connection: "close" },
    refusedBy: "https",
  });

/**
 * Makes an HTTPS server respond with 400 to plain HTTP on its port, and close the connection. Closes connections of
 * other protocols without a response. Call it before adding listeners for "connection".
 */
export function refusePlainHttp(server: Server): void {
  const startTls = server.listeners("connection");
  server.removeAllListeners("connection");
  const undetected = new Set<Socket>();
  const discarder = new BodyDiscarder();

  server.on("connection", (socket: Socket) => {
    undetected.add(socket);
    const deadline = setTimeout(() => socket.destroy(), firstBytesTimeoutMs);
    const release = (): void => {
      clearTimeout(deadline);
      undetected.delete(socket);
    };
    const detect = (): void => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      socket.off("readable", detect);
      socket.unshift(first);
      if (first[0] !== tlsHandshake) {
        refuse(socket, () => {
          clearTimeout(deadline);
          const sender = { address: socket.remoteAddress ?? "", isAnonymous: true };
          discarder.discard(
            socket,
            sender,
            () => {},
            () => closeWithLinger(socket),
          );
        });
        return;
      }
      release();
      for (const start of startTls) start.call(server, socket);
    };
    // Without a listener, a reset by the client would crash the process.
    socket.on("error", () => {});
    socket.on("close", release);
    socket.on("readable", detect);
  });

  // A stopping server must not wait for connections that are not HTTP.
  for (const method of ["closeIdleConnections", "closeAllConnections"] as const) {
    const close = server[method].bind(server);
    server[method] = () => {
      for (const socket of undetected) socket.destroy();
      close();
    };
  }
}

/**
 * Responds with 400 to a complete HTTP head, then calls `onResponse`. Closes the connection of another protocol, and
 * after `maxHeadBytes` without the end of the head.
 */
function refuse(socket: Socket, onResponse: () => void): void {
  let head = "";
  const collect = (chunk: Buffer): void => {
    head += chunk.toString("latin1");
    const isHttp = couldBeHttp(head);
    if (isHttp && head.includes("\r\n\r\n")) {
      socket.off("data", collect);
      socket.end(responseTo(head));
      onResponse();
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

function responseTo(head: string): string {
  const error = httpsRequired(httpsUrl(head));
  const body = JSON.stringify(errorBody(error));
  return [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    head.startsWith("HEAD ") ? "" : body,
  ].join("\r\n");
}

/** The https URL of the request, from the path and the Host header; undefined if either is missing or invalid. */
function httpsUrl(head: string): string | undefined {
  const path = /^\S+ (\/[^\s?]*)/.exec(head)?.[1];
  const host = /\r\nhost:[ \t]*([\w.:[\]-]+)[ \t]*\r\n/i.exec(head)?.[1];
  return path === undefined || host === undefined ? undefined : `https://${host}${path}`;
}
