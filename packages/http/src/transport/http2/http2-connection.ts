import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import { errorBody } from "../../error-response.ts";
import { headersTooLarge, malformed, maxHeaderBytes } from "../client-error.ts";
import type { ConnectionLimits } from "../connection-limits.ts";
import { resetConnection } from "../tcp-socket.ts";
import { asHttp1, headerBytes, resetStream } from "./http1-view.ts";
import type { IdleTraffic } from "./idle-traffic.ts";

/**
 * Time limit of a stream without a byte in either direction. Longer than any request takes or waits (long-polls.ts).
 */
const streamTimeoutMs = 45_000;
/** Bytes of an unread body that a client may send ahead. */
export const streamWindowBytes = 262_144;
/** Overhead of a DATA frame. */
const dataFrameBytes = 16;
/**
 * Sent bytes for each expected byte of window updates: a client sends one or two updates for each frame that it has
 * read.
 */
const sentBytesForEachUpdateByte = 100;

export interface Http2ConnectionParts {
  socket: TLSSocket;
  handle: RequestListener;
  connections: ConnectionLimits;
  idle: IdleTraffic;
}

interface Turn {
  request: Http2ServerRequest;
  response: Http2ServerResponse;
}

/**
 * The requests of one connection. Each begins in its own turn of the event loop, so that many simultaneous requests
 * delay no other connection. One request uses the place of the connection. Each further request in flight takes a place
 * of the network, like a connection, so that a network has at most as many requests in flight as over HTTP/1.1. A
 * request without a free place is refused, and the client may repeat it (RFC 9113 8.7).
 */
export class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #parts: Http2ConnectionParts;
  readonly #name: string = randomUUID();
  readonly #waiting: Turn[] = [];
  #isTurnDue = false;
  #inFlight = 0;
  #isOwnPlaceTaken = false;
  /** Upper bound of the bytes of all requests. */
  #requestBytes = 0;
  /** The largest estimate so far of the received bytes that belong to no request. */
  #idleBytes = 0;

  constructor(session: ServerHttp2Session, parts: Http2ConnectionParts) {
    this.#session = session;
    this.#parts = parts;
    for (const event of ["ping", "remoteSettings"] as const) session.on(event, () => this.#countIdleFrame());
    session.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ERR_HTTP2_ERROR" || code === "ERR_HTTP2_TOO_MANY_INVALID_FRAMES") this.#penalize();
    });
  }

  add(request: Http2ServerRequest, response: Http2ServerResponse): void {
    this.#requestBytes += maxHeaderBytes;
    this.#waiting.push({ request, response });
    if (!this.#isTurnDue) this.#next();
  }

  /** Resets the connection, unless a request is in flight. */
  closeIdle(): void {
    if (this.#inFlight === 0) resetConnection(this.#parts.socket);
  }

  /** Counts the new bytes that belong to no request. Ends the connection if there are too many. */
  countIdleBytes(): void {
    const { socket, idle } = this.#parts;
    const before = this.#idleBytes;
    const unreadBytes = this.#inFlight * streamWindowBytes;
    const expected = this.#requestBytes + unreadBytes + socket.bytesWritten / sentBytesForEachUpdateByte;
    this.#idleBytes = Math.max(before, socket.bytesRead - expected);
    if (!idle.takeBytes(socket.remoteAddress ?? "", this.#idleBytes - before)) this.#end();
  }

  readonly #next = (): void => {
    const turn = this.#waiting.shift();
    this.#isTurnDue = turn !== undefined;
    if (turn === undefined) return;
    setImmediate(this.#next);
    if (!turn.request.stream.closed && !turn.request.stream.destroyed) this.#run(turn);
  };

  #run({ request, response }: Turn): void {
    const { stream } = request;
    const release = this.#takePlace();
    if (release === null) {
      this.#countIdleFrame();
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    stream.setTimeout(streamTimeoutMs, () => resetStream(stream));
    const closeEvent = new Promise((resolve) => stream.once("close", resolve));
    // The place is released when the stream is closed and the handler has ended, even if the client resets the stream.
    void Promise.allSettled([closeEvent, this.#respond(request, response)]).then(release);
  }

  async #respond(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    if (headerBytes(request) > maxHeaderBytes) return this.#refuse(request, headersTooLarge);
    const view = asHttp1(request, response, this.#parts.socket, (bytes) => {
      this.#requestBytes += bytes + dataFrameBytes;
    });
    if (view === undefined) return this.#refuse(request, malformed);
    await this.#parts.handle(view.request, view.response);
  }

  #refuse(request: Http2ServerRequest, refusal: ApiError): void {
    this.#countIdleFrame();
    const body = JSON.stringify(errorBody(refusal));
    request.stream.respond({
      ":status": refusal.status,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    });
    request.stream.end(request.method === "HEAD" ? "" : body);
  }

  /** Takes the connection's own place, or a further place of the network. Returns null if no place is free. */
  #takePlace(): (() => void) | null {
    const isOwn = !this.#isOwnPlaceTaken;
    const release = isOwn ? () => {} : this.#parts.connections.takePlace(this.#parts.socket);
    if (release === null) return null;
    if (isOwn) this.#isOwnPlaceTaken = true;
    this.#inFlight++;
    return () => {
      if (isOwn) this.#isOwnPlaceTaken = false;
      this.#inFlight--;
      release();
    };
  }

  #countIdleFrame(): void {
    if (!this.#parts.idle.takeFrame(this.#name)) this.#end();
  }

  #end(): void {
    if (this.#session.destroyed) return;
    this.#penalize();
    this.#session.destroy();
  }

  #penalize(): void {
    this.#parts.connections.penalize(this.#parts.socket);
  }
}
