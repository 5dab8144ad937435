import type { ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { pipeline, Readable } from "node:stream";
import type { HttpResponse } from "../pipeline/http-response.ts";
import type { RequestContext } from "../pipeline/request-context.ts";
import { BodyDiscarder, closeWithLinger } from "./discard.ts";
import { resetStream, streamOf } from "./http2/http1-view.ts";
import { type LeastRate, watchRate } from "./least-rate.ts";
import { sliceBytes, slicesOf } from "./slices.ts";
import { WriteBatcher } from "./write-batcher.ts";

/** A keep-alive connection waits for the rest of a refused body up to this size; a larger one ends its connection. */
const keptAliveBytes = 100_000;
/** Of clients that read a large response. Averaged, since the kernel frees its send buffer in large steps. */
const leastReadRate: LeastRate = { bytes: 240_000, windowMs: 30_000 };

/** Sends responses. Those that are ready at the same time go in one batch; large ones go in slices, with backpressure. */
export class ResponseWriter {
  readonly #batcher = new WriteBatcher();
  readonly #discarder = new BodyDiscarder();
  /** Asks clients to close their connections. */
  isStopping = false;

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
    const endWatch =
      leastRate === null
        ? () => {}
        : stream === undefined
          ? watchSocket(response, leastRate)
          : watchStream(stream, body, leastRate);
    // The status is already sent, so a failing file can only break the connection, or the stream.
    pipeline(body, stream ?? response, () => {
      endWatch();
      if (stream !== undefined && isBodyOnItsWay(response)) endUnread(response);
    });
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

/** Closes a connection whose client reads too slowly. */
function watchSocket(response: ServerResponse, leastRate: LeastRate): () => void {
  // Of a file that is still being made, nothing may be there to send.
  const bytesWritten = () => (response.writableLength === 0 ? Number.NaN : (response.socket?.bytesWritten ?? 0));
  return watchRate(leastRate, bytesWritten, () => response.req.socket.destroy());
}

/** Resets a stream whose client reads too slowly, whatever it does with others of its connection. */
function watchStream(stream: ServerHttp2Stream, body: Readable, { bytes, windowMs }: LeastRate): () => void {
  let given = 0;
  body.on("data", (chunk: Buffer) => {
    given += chunk.length;
  });
  const bytesSent = () => (stream.writableLength === 0 ? Number.NaN : given - stream.writableLength);
  // A slice counts once all of it is sent.
  return watchRate({ bytes: bytes - sliceBytes, windowMs }, bytesSent, () => resetStream(stream));
}
