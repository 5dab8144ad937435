import type { Abortable } from "node:events";
import type { ServerResponse } from "node:http";
import { constants } from "node:http2";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { BodyDiscarder, closeWithLinger } from "../discard.ts";
import type { HttpResponse } from "../http-response.ts";
import type { RequestContext } from "../request-context.ts";
import { resetStream, streamOf } from "./http2/http1-view.ts";
import { type LeastRate, watchRate } from "./least-rate.ts";
import { SendQueues } from "./send-queues.ts";
import { sliceBytes, sliceStream, slicesOf } from "./slices.ts";
import { resetConnection } from "./tcp-socket.ts";
import { WriteBatcher } from "./write-batcher.ts";

/** The connection stays open after a refused body of up to this size. A larger body ends the connection. */
const keptAliveBytes = 100_000;
/** Minimum rate at which clients must read a large response: 240 kB in 30 s, less one slice for bytes in transit. */
const leastReadRate: LeastRate = { bytes: 240_000 - sliceBytes, windowMs: 30_000 };

/** Node's pipeline passes a signal, but its types make it optional. */
const neverAborted = new AbortController().signal;

/**
 * Sends responses. Writes responses that are ready at the same time in one batch. Sends large responses in slices, at
 * the pace of the client's acknowledgements.
 */
export class ResponseWriter {
  readonly #sendQueues: SendQueues;
  readonly #batcher = new WriteBatcher();
  readonly #discarder = new BodyDiscarder();
  /** While true, each response asks its client to close the connection. */
  isStopping = false;

  constructor(sendQueues = new SendQueues()) {
    this.#sendQueues = sendQueues;
  }

  send(context: RequestContext, response: ServerResponse, { status, headers, body, isLive }: HttpResponse): void {
    const allHeaders = Object.assign(context.headers, headers);
    context.status = status;
    if (this.isStopping) allHeaders.connection = "close";
    if (body instanceof Readable) this.#stream(context, response, body, isLive === true ? null : leastReadRate);
    else {
      if (body !== undefined) allHeaders["content-length"] = String(Buffer.byteLength(body));
      else if (status !== 204 && status !== 304) allHeaders["content-length"] = "0";
      if (body !== undefined && body.length > sliceBytes)
        this.#stream(context, response, sliceStream(body), leastReadRate);
      else this.#batcher.add(response, () => this.#write(context, response, body));
    }
  }

  #write(context: RequestContext, response: ServerResponse, content: string | Buffer | undefined): void {
    const { req: request } = response;
    const body = context.method === "HEAD" ? undefined : content;
    if (!isBodyIncomplete(response)) {
      writeHead(context, response).end(body);
      return;
    }
    if (!(Number(request.headers["content-length"]) <= keptAliveBytes)) context.headers.connection = "close";
    response.cork();
    writeHead(context, response).flushHeaders();
    if (body !== undefined) response.write(body);
    response.uncork();
    // The response has its Content-Length, so the client can already read it completely.
    const { clientAddress: address, isAnonymous } = context;
    this.#discarder.discard(
      request,
      { address, isAnonymous },
      () => response.end(),
      () => endUnread(response),
    );
  }

  #stream(context: RequestContext, response: ServerResponse, body: Readable, leastRate: LeastRate | null): void {
    // The client has closed the connection. `pipeline` would throw and leave the file open, and the garbage collection
    // of an open file would end the process.
    if (response.destroyed) {
      body.destroy();
      return;
    }
    if (isBodyIncomplete(response)) context.headers.connection = "close";
    writeHead(context, response);
    if (context.method === "HEAD") {
      body.destroy();
      response.end();
      return;
    }
    const stream = streamOf(response);
    const target = stream ?? response;
    const transfer = { yieldedBytes: 0, isWaiting: false };
    // While a file is still being generated, there may be no bytes to send.
    const bytesSent = () =>
      transfer.isWaiting || target.writableLength > 0 ? transfer.yieldedBytes - target.writableLength : Number.NaN;
    const end = () => (stream === undefined ? resetConnection(response.req.socket) : resetStream(stream));
    const endWatch = leastRate === null ? () => {} : watchRate(leastRate, bytesSent, end);
    const endTransfer = this.#sendQueues.begin();
    // If the file fails, the connection or the stream is reset, since the status has already been sent.
    pipeline(
      body,
      (source: AsyncIterable<Buffer | string>, { signal = neverAborted }: Abortable = {}) =>
        this.#paced(source, response.req.socket, transfer, signal),
      target,
      () => {
        endTransfer();
        endWatch();
        if (stream !== undefined && isBodyIncomplete(response)) endUnread(response);
      },
    );
  }

  /**
   * Yields the slices of a body. Waits before each one until the client has acknowledged enough of the earlier ones.
   */
  async *#paced(
    source: AsyncIterable<Buffer | string>,
    socket: Socket,
    transfer: { yieldedBytes: number; isWaiting: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of source)
      for (const slice of slicesOf(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
        transfer.isWaiting = true;
        await this.#sendQueues.room(socket, slice.length, signal);
        transfer.isWaiting = false;
        if (signal.aborted) return;
        transfer.yieldedBytes += slice.length;
        yield slice;
      }
  }
}

/**
 * Writes status and headers. HTTP/2 allows no headers about the connection (RFC 9113 8.2.2). Does not use Node's
 * `writeHead` for HTTP/2, since it sends END_STREAM in a separate frame: curl resets a stream whose body is complete
 * before that frame, and too many resets end the connection.
 */
function writeHead({ status, headers }: RequestContext, response: ServerResponse): ServerResponse {
  const stream = streamOf(response);
  if (stream === undefined) return response.writeHead(status, headers);
  delete headers.connection;
  if (!response.destroyed) stream.respond({ ":status": status, ...headers });
  return response;
}

/** Whether a part of the request's body has not arrived. False for a request of a test without a network. */
const isBodyIncomplete = (response: ServerResponse): boolean =>
  response.req.complete === false && streamOf(response)?.endAfterHeaders !== true;

/** Ends a response although the request body was not read completely. */
function endUnread(response: ServerResponse): void {
  const stream = streamOf(response);
  if (stream === undefined) closeWithLinger(response.req.socket);
  else {
    // Once the response is sent, NO_ERROR tells the client to stop sending (RFC 9113 8.1). The stream's time limit
    // limits the wait.
    const close = () => stream.close(constants.NGHTTP2_NO_ERROR);
    if (stream.writableFinished) close();
    else stream.once("finish", close);
    response.end();
  }
}
