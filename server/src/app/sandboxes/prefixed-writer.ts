import type { ServerResponse } from "node:http";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import type { SendQueues } from "@beatmarket/http/transport/send-queues.ts";

/** Links and forms of pages, from the root of the site. */
const fromRoot = /\b(href|action|src|formaction)="\/(?!\/)/g;

/** Sends the responses of a sandbox, whose pages link to and post below its path. */
export class PrefixedWriter extends ResponseWriter {
  readonly #path: string;

  constructor(path: string, sendQueues: SendQueues) {
    super(sendQueues);
    this.#path = path;
  }

  override send(context: RequestContext, response: ServerResponse, sent: HttpResponse): void {
    const location = sent.headers?.location;
    const headers =
      typeof location === "string" && location.startsWith("/")
        ? { ...sent.headers, location: this.#path + location }
        : sent.headers;
    const body = isPage(headers) && isText(sent.body) ? this.#prefixed(sent.body) : sent.body;
    super.send(context, response, {
      ...sent,
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
    });
  }

  #prefixed(body: string | Buffer): string {
    return body.toString().replaceAll(fromRoot, `$1="${this.#path}/`);
  }
}

const isPage = (headers: HttpResponse["headers"]): boolean =>
  String(headers?.["content-type"]).startsWith("text/html") && headers?.["content-encoding"] === undefined;

const isText = (body: HttpResponse["body"]): body is string | Buffer =>
  typeof body === "string" || Buffer.isBuffer(body);
