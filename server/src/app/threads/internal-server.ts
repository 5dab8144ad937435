import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The address of the client, from a thread. */
export const peerHeader = "x-beatmarket-peer";
/** Tells a thread that the request had a valid key or session. */
export const vouchedHeader = "x-beatmarket-vouched";

/** Threads have checked the head already; theirs has one header more. */
const maxHeaderSize = 65_536;

/**
 * The server of the main thread for the requests that its threads forward. They set the limits of connections, so it has
 * none.
 */
export function createInternalServer(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const responses = new WeakMap<Socket, ServerResponse>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    // One request after another uses a connection, each of another client.
    Object.defineProperty(socket, "remoteAddress", { value: headers[peerHeader], configurable: true });
    delete headers[peerHeader];
    responses.set(socket, response);
    handle(request, response);
  };
  const server: Server = createServer(
    { maxHeaderSize, headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0, requireHostHeader: false },
    listener,
  );
  server.timeout = 0;
  server.on("checkContinue", listener).on("checkExpectation", listener);
  return {
    server,
    vouchFor: (socket: Socket) => {
      const response = responses.get(socket);
      if (response?.headersSent === false) response.setHeader(vouchedHeader, "1");
    },
  };
}
