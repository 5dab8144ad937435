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
import { partsOf, sliceBytes, slicesOf } from "./slices.ts";
import { resetConnection } from "./tcp-socket.ts";
import { WriteBatcher } from "./write-batcher.ts";

/** A keep-alive connection waits for the rest of a refused body up to this size; a larger one ends its connection. */
const keptAliveBytes = 100_000;
/** Of clients that read a large response: 240 kB in 30 s, less the slice that counts once all of it may be sent. */
const leastReadRate: LeastRate = { bytes: 240_000 - sliceBytes, windowMs: 30_000 };

/** Node's pipeline gives a signal; its types do not promise it. */
const neverAborted = new AbortController().signal;

/**
 * Sends responses. Those that are ready at the same time go in one batch; large ones go in slices, as their clients
 * acknowledge them.
 */
export class ResponseWriter {
  readonly #sendQueues: SendQueues;
  readonly #batcher = new WriteBatcher();
  readonly #discarder = new BodyDiscarder();
  /** Asks clients to close their connections. */
  isStopping = false;

  constructor(sendQueues = new SendQueues()) {
    this.#sendQueues = sendQueues;
  }

  send(context: RequestContext, response: ServerResponse, { status, headers, body, isLive }: HttpResponse): void {
    const sent = Object.assign(context.headers, headers);
    context.status = status;
    if (this.isStopping) sent.connection = "close";
    if (body instanceof Readable) this.#stream(context, response, body, isLive === true ? null : leastReadRate);
    else {
      if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
      else if (status !== 204 && status !== 304) sent["content-length"] = "0";
      if (body !== undefined && body.length > sliceBytes)
        this.#stream(context, response, slicesOf(body), leastReadRate);
      else this.#batcher.add(response, () => this.#write(context, response, body));
    }
  }

  #write(context: RequestContext, response: ServerResponse, content: string | Buffer | undefined): void {
    const { req: request } = response;
    const body = context.method === "HEAD" ? undefined : content;
    if (!isBodyOnItsWay(response)) {
      writeHead(context, response).end(body);
      return;
    }
    if (!(Number(request.headers["content-length"]) <= keptAliveBytes)) context.headers.connection = "close";
    response.cork();
    writeHead(context, response).flushHeaders();
    if (body !== undefined) response.write(body);
    response.uncork();
    // The response has its Content-Length, so the client can read all of it now.
    const { clientAddress: address, isAnonymous } = context;
    this.#discarder.discard(
      request,
      { address, isAnonymous },
      () => response.end(),
      () => endUnread(response),
    );
  }

  #stream(context: RequestContext, response: ServerResponse, body: Readable, leastRate: LeastRate | null): void {
    // Its client has gone. `pipeline` would throw and leave the file open, whose garbage collection ends the process.
    if (response.destroyed) {
      body.destroy();
      return;
    }
    if (isBodyOnItsWay(response)) context.headers.connection = "close";
    writeHead(context, response);
    if (context.method === "HEAD") {
      body.destroy();
      response.end();
      return;
    }
    const stream = streamOf(response);
    const target = stream ?? response;
    const transfer = { givenBytes: 0, isWaiting: false };
    // Of a file that is still being made, nothing may be there to send.
    const bytesSent = () =>
      transfer.isWaiting || target.writableLength > 0 ? transfer.givenBytes - target.writableLength : Number.NaN;
    const end = () => (stream === undefined ? resetConnection(response.req.socket) : resetStream(stream));
    const endWatch = leastRate === null ? () => {} : watchRate(leastRate, bytesSent, end);
    const endTransfer = this.#sendQueues.begin();
    // The status is already sent, so a failing file can only break the connection, or the stream.
    pipeline(
      body,
      (source: AsyncIterable<Buffer | string>, { signal = neverAborted }: Abortable = {}) =>
        this.#paced(source, response.req.socket, transfer, signal),
      target,
      () => {
        endTransfer();
        endWatch();
        if (stream !== undefined && isBodyOnItsWay(response)) endUnread(response);
      },
    );
  }

  /** The parts of a body, each once its client has acknowledged enough of those before. */
  async *#paced(
    source: AsyncIterable<Buffer | string>,
    socket: Socket,
    transfer: { givenBytes: number; isWaiting: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of source)
      for (const part of partsOf(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) {
        transfer.isWaiting = true;
        await this.#sendQueues.room(socket, part.length, signal);
        transfer.isWaiting = false;
        if (signal.aborted) return;
        transfer.givenBytes += part.length;
        yield part;
      }
  }
}

/** Over HTTP/2 a connection outlives a response, so headers about it are left out (RFC 9113 8.2.2). */
function writeHead({ status, headers }: RequestContext, response: ServerResponse): ServerResponse {
  if (streamOf(response) !== undefined) delete headers.connection;
  return response.writeHead(status, headers);
}

/** False also where there is no network (a test's request has no such property). */
const isBodyOnItsWay = (response: ServerResponse): boolean =>
  response.req.complete === false && streamOf(response)?.endAfterHeaders !== true;

/** Ends a response whose request has a body that is not read to its end. */
function endUnread(response: ServerResponse): void {
  const stream = streamOf(response);
  if (stream === undefined) closeWithLinger(response.req.socket);
  else {
    // Tells the client to send no more (RFC 9113 8.1), once the response is sent: until then the stream has its time limit.
    const close = () => stream.close(constants.NGHTTP2_NO_ERROR);
    if (stream.writableFinished) close();
    else stream.once("finish", close);
    response.end();
  }
}
