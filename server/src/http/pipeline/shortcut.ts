import type { IncomingMessage, ServerResponse } from "node:http";
import type { Workload } from "../admission/concurrency-limiter.ts";
import type { Gate } from "../admission/gate.ts";
import type { Answer, PlainAnswer } from "../cache/response-cache.ts";
import { chooseEncoding } from "../negotiation/encodings.ts";
import { formOf } from "../negotiation/forms.ts";
import { Outbox } from "../transport/write-batcher.ts";
import { answerHeaders, describeAnswer } from "./answer-headers.ts";
import { type ReadParts, readAnswer } from "./read-answer.ts";
import type { RecordCall } from "./request-context.ts";
import { prefixes, type Route } from "./route.ts";

/**
 * A way past the framework, tried first: true when it answers. False leaves the request to the framework, with what
 * was found out about it in its exchange.
 */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

interface ShortcutParts extends ReadParts {
  routes: readonly Route[];
  gate: Gate;
  workload: Workload;
  record: RecordCall;
}

/**
 * Answers GET and HEAD of the catalogue, from bytes that are kept or can be made: through the same gate and into the same
 * log as every call, but without the framework's part, which costs more than an answer that is at hand and a good part of
 * one that is not. Whatever is refused or fails is told by the framework.
 */
export function catalogueShortcut(parts: ShortcutParts): Shortcut {
  const { gate, cache, workload, record } = parts;
  const findRoute = routeFinder(parts.routes);
  const outbox = new Outbox();
  return (request, response) => {
    const { method, url = "/", headers, exchange } = request;
    if (method !== "GET" && method !== "HEAD") return false;
    const form = formOf(headers.accept);
    if (form === null) return false;
    const kept = cache.find(form, url);
    const found = kept === null ? findRoute(url) : null;
    const route = kept?.route ?? found?.route;
    if (route === undefined) return false;

    const send = (answer: Answer): true => {
      outbox.add(response, () => {
        answerHeaders(exchange.headers);
        const status = describeAnswer(headers, exchange.headers, form, answer);
        response.writeHead(status, exchange.headers).end(status === 304 ? undefined : answer.body);
        record({ exchange, method, headers, socket: request.socket }, status);
      });
      return true;
    };
    const encode = (plain: PlainAnswer): true | Promise<true> => {
      const encoding = chooseEncoding(headers["accept-encoding"], plain.body.length);
      const answer = encoding === null ? plain : plain.encoded(encoding);
      return answer instanceof Promise ? answer.then(send) : send(answer);
    };
    const refuse = (refusal: unknown): false => {
      exchange.admission = { refusal };
      return false;
    };
    const make = async ({ route, params }: FoundRoute): Promise<boolean> => {
      let answer: PlainAnswer;
      try {
        answer = await workload.run("read", () => readAnswer(route, parts, { url, exchange, params }, form));
      } catch (error) {
        return refuse(error);
      }
      return encode(answer);
    };
    const answerAdmitted = (): boolean | Promise<boolean> => {
      // While the caller waited at the gate, the catalogue may have changed.
      const current = cache.find(form, url);
      if (current !== null) return encode(current.answer);
      if (found !== null) return make(found);
      exchange.admission = "admitted";
      return false;
    };

    exchange.operation = route.operationId;
    try {
      const admitting = gate.admit(request, route.permission);
      if (admitting !== undefined) return admitting.then(answerAdmitted, refuse);
      return kept === null ? answerAdmitted() : encode(kept.answer);
    } catch (refusal) {
      return refuse(refusal);
    }
  };
}

interface FoundRoute {
  route: Route;
  params: Record<string, string>;
}

/**
 * Finds the route of the catalogue that a plain URL asks for, with ids in digits. What is written in any other way, be it
 * right or wrong, is for the framework's router to read.
 */
function routeFinder(routes: readonly Route[]): (url: string) => FoundRoute | null {
  const exact = new Map<string, FoundRoute>();
  const patterns: { pattern: RegExp; names: string[]; route: Route }[] = [];
  for (const prefix of prefixes)
    for (const route of routes.filter(({ cached }) => cached === true)) {
      const path = prefix + route.path;
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
      if (names.length === 0) exact.set(path, { route, params: {} });
      else patterns.push({ pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "(\\d+)")}$`), names, route });
    }
  return (url) => {
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const found = exact.get(path);
    if (found !== undefined) return found;
    for (const { pattern, names, route } of patterns) {
      const match = pattern.exec(path);
      if (match !== null)
        return { route, params: Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""])) };
    }
    return null;
  };
}
