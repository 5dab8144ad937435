import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { HttpResponse } from "../pipeline/http-response.ts";
import type { RequestContext } from "../pipeline/request-context.ts";
import { BodyDiscarder } from "./discard.ts";
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

  #write(context: RequestContext, response: ServerResponse, body: string | Buffer | undefined): void {
    const { req: request } = response;
    if (!isBodyOnItsWay(response)) {
      response.writeHead(context.status, context.headers).end(body);
      return;
    }
    if (!(Number(request.headers["content-length"]) <= keptAliveBytes)) context.headers.connection = "close";
    response.cork();
    response.writeHead(context.status, context.headers).flushHeaders();
    if (body !== undefined) response.write(body);
    response.uncork();
    // The response has its Content-Length, so the client can read all of it now.
    const { clientAddress: address, isAnonymous } = context;
    this.#discarder.discard(request, request.socket, { address, isAnonymous }, () => response.end());
  }

  #stream(context: RequestContext, response: ServerResponse, body: Readable, leastRate: LeastRate | null): void {
    // Its client has gone. `pipeline` would throw and leave the file open, whose garbage collection ends the process.
    if (response.destroyed) {
      body.destroy();
      return;
    }
    if (isBodyOnItsWay(response)) context.headers.connection = "close";
    response.writeHead(context.status, context.headers);
    if (context.method === "HEAD") {
      body.destroy();
      response.end();
      return;
    }
    const { req: request } = response;
    // Of a file that is still being made, nothing may be there to send.
    const bytesWritten = () => (response.writableLength === 0 ? Number.NaN : (response.socket?.bytesWritten ?? 0));
    const endWatch = leastRate === null ? () => {} : watchRate(leastRate, bytesWritten, () => request.socket.destroy());
    // The status is already sent, so a failing file can only break the connection.
    pipeline(body, response, endWatch);
  }
}

/** False also where there is no network (a test's request has no such property). */
const isBodyOnItsWay = ({ req }: ServerResponse): boolean => req.complete === false;
