import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Answer, AnswerCache } from "./answer-cache.ts";
import { chooseEncoding } from "./encodings.ts";
import { matchesEntityTag } from "./entity-tag.ts";
import type { RecordCall } from "./exchange.ts";
import { contentTypes, type Form, formOf } from "./forms.ts";
import type { Gate } from "./gate.ts";

/**
 * A way past the framework, tried first: true when it answers. False leaves the request to the framework, with what
 * was found out about it in its exchange.
 */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

interface KeptAnswersParts {
  gate: Gate;
  cache: AnswerCache;
  record: RecordCall;
}

/**
 * Answers GET and HEAD whose bytes are at hand: through the same gate and into the same log as every call, but without
 * the framework's part, which would cost more than all the rest. Whatever is refused is told by the framework.
 */
export function keptAnswers({ gate, cache, record }: KeptAnswersParts): Shortcut {
  return (request, response) => {
    const { method, url = "/", headers, exchange } = request;
    if (method !== "GET" && method !== "HEAD") return false;
    const form = formOf(headers.accept);
    if (form === null) return false;
    const kept = cache.find(form, url);
    if (kept === null) return false;

    const send = (answer: Answer): true => {
      answerHeaders(exchange.headers);
      const status = describeAnswer(headers, exchange.headers, form, answer);
      response.writeHead(status, exchange.headers).end(status === 304 ? undefined : answer.body);
      record({ exchange, method, headers, socket: request.socket }, status);
      return true;
    };
    const refuse = (refusal: unknown): false => {
      exchange.admission = { refusal };
      return false;
    };
    exchange.operation = kept.route.operationId;
    try {
      const admitting = gate.admit(request, kept.route.permission);
      const encoding = chooseEncoding(headers["accept-encoding"], kept.answer.body.length);
      const answer = encoding === null ? kept.answer : kept.answer.encoded(encoding);
      if (admitting === undefined) return answer instanceof Promise ? answer.then(send) : send(answer);
      return admitting.then(async () => {
        exchange.admission = "admitted";
        // While it waited, the catalogue may have changed.
        return cache.find(form, url) === kept ? send(await answer) : false;
      }, refuse);
    } catch (refusal) {
      return refuse(refusal);
    }
  };
}

/** Adds an answer's headers to those that are sent; gives its status: 304, without a body, where the caller has it. */
export function describeAnswer(
  asked: IncomingHttpHeaders,
  headers: Record<string, string>,
  form: Form,
  { body, etag, encoding }: Answer,
): 200 | 304 {
  headers.etag = etag;
  if (matchesEntityTag(asked["if-none-match"], etag)) return 304;
  headers["content-type"] = contentTypes[form];
  headers["content-length"] = String(body.length);
  if (encoding !== undefined) headers["content-encoding"] = encoding;
  return 200;
}

/** On every answer of the API. */
export function answerHeaders(headers: Record<string, string>): void {
  headers["cache-control"] = "private, no-cache";
  headers.vary = "Accept, Accept-Encoding";
}
