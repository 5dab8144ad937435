import {
  Agent,
  createServer,
  type IncomingMessage,
  request as requestOf,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { HttpResponse } from "../http-response.ts";

/** A response up to this size is sent in one piece. */
const smallBytes = 65_536;
/** Connections to the main thread that stay open. */
const maxIdle = 64;

export interface ForwardedResponse {
  answer: HttpResponse;
  /** Whether the request had a valid key or session. */
  isVouchedFor: boolean;
}

/** Forwards requests to the main thread over its socket. */
export class Forwarder {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdle });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Resolves with the response; a large body may still be arriving. Rejects if the main thread cannot be reached. */
  async forward(request: IncomingMessage, response: ServerResponse): Promise<ForwardedResponse> {
    const received = await this.#send(request, response);
    const { statusCode: status = 500, method = request.method } = received;
    const {
      [vouchedHeader]: vouched,
      connection,
      "keep-alive": _,
      "transfer-encoding": _coding,
      ...sent
    } = received.headers;
    // The main thread closes the connection after a body that it did not read, and while it stops.
    // Node sends an array as several headers.
    const headers = { ...sent, ...(connection === "close" && { connection }) } as Record<string, string>;
    const body = await bodyOf(received, method, status);
    const isLive = headers["content-type"]?.includes("text/event-stream") === true;
    return {
      answer: { status, headers, ...(body !== undefined && { body }), ...(isLive && { isLive }) },
      isVouchedFor: vouched !== undefined,
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(request: IncomingMessage, response: ServerResponse): Promise<IncomingMessage> {
    const { method, url, httpVersion, socket } = request;
    const { connection: _, "keep-alive": _keepAlive, ...headers } = request.headers;
    // HTTP/1.0 does not require a Host header, but the main thread speaks HTTP/1.1.
    if (httpVersion === "1.0") headers.host ??= "localhost";
    const sentHeaders = { ...headers, [peerHeader]: socket.remoteAddress ?? "" };
    return new Promise((resolve, reject) => {
      const onward = requestOf({
        socketPath: this.#socketPath,
        agent: this.#agent,
        setHost: false,
        method,
        path: url,
        headers: sentHeaders,
      });
      const leave = () => onward.destroy();
      response.once("close", leave);
      onward.once("error", reject);
      onward.once("continue", () => {
        response.writeContinue();
        request.pipe(onward);
      });
      onward.once("response", (received) => {
        request.unpipe(onward);
        onward.off("error", reject).on("error", () => {});
        resolve(received);
      });
      if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) onward.end();
      else if (headers.expect === undefined) request.pipe(onward);
      else onward.flushHeaders();
    });
  }
}

async function bodyOf(received: IncomingMessage, method: string | undefined, status: number) {
  if (status === 204 || status === 304) {
    received.resume();
    return undefined;
  }
  const length = Number(received.headers["content-length"] ?? Number.NaN);
  return method !== "HEAD" && length <= smallBytes ? await buffer(received) : received;
}

/** The header with which a thread reports its client's address to the main thread. */
const peerHeader = "x-beatmarket-peer";
/** The header with which the main thread reports to a thread that the request had a valid key or session. */
const vouchedHeader = "x-beatmarket-vouched";

/** Threads have already checked the head, and add one header. */
const maxHeaderSize = 65_536;

/**
 * The server of the main thread for the requests that the threads forward. The threads apply the limits of connections,
 * so this server has none.
 */
export function createInternalServer(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const responses = new WeakMap<Socket, ServerResponse>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    // One connection carries requests of different clients.
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
