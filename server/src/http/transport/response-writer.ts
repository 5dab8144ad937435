import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { HttpResponse } from "../pipeline/http-response.ts";
import type { RequestContext } from "../pipeline/request-context.ts";
import { WriteBatcher } from "./write-batcher.ts";

/** Sends responses. Those that are ready at the same time go in one batch. */
export class ResponseWriter {
  readonly #batcher = new WriteBatcher();
  /** Asks clients to close their connections. */
  isStopping = false;

  send(context: RequestContext, response: ServerResponse, { status, headers, body }: HttpResponse): void {
    const sent = Object.assign(context.headers, headers);
    context.status = status;
    if (this.isStopping) sent.connection = "close";
    if (body instanceof Readable) this.#stream(context, response, body);
    else {
      if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body));
      else if (status !== 204 && status !== 304) sent["content-length"] = "0";
      this.#batcher.add(response, () => response.writeHead(status, sent).end(body));
    }
  }

  #stream(context: RequestContext, response: ServerResponse, body: Readable): void {
    response.writeHead(context.status, context.headers);
    if (context.method === "HEAD") {
      body.destroy();
      response.end();
      // The status is already sent, so a failing file can only close the connection.
    } else pipeline(body, response, () => {});
  }
}
