import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** The receiver under test. */
export interface Target {
  url: URL;
  /** The certificate (PEM) of the CA that issued the receiver's certificate. */
  ca?: string | undefined;
  /** The time limit of a response. The drill's default is shorter than the limit of the service, 15 s. */
  limitMs: number;
}

export interface Delivery {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Sends the body in pieces over this time. */
  spreadMs?: number;
  /** Closes the connection in the middle of the body, or after the body without waiting for the response. */
  cut?: "in the body" | "before the answer";
}

/** The result of a delivery. */
export interface Response {
  /** Null without a response. */
  status: number | null;
  /** The status such as "401", or the reason why there is no response. */
  words: string;
}

const pieces = 8;
/** Time for the receiver to read the received bytes before a connection is cut. */
const beforeCutMs = 500;

export const isSuccess = ({ status }: Response): boolean => status !== null && status >= 200 && status < 300;

/** Posts a delivery over a new connection. Never rejects. */
export async function deliver(target: Target, { headers, body, spreadMs = 0, cut }: Delivery): Promise<Response> {
  const bytes = Buffer.from(body);
  const length = { "content-length": String(bytes.length) };
  const request = open(target, "POST", { "content-type": "application/json", ...headers, ...length });
  const response = responseTo(request, target.limitMs + spreadMs);
  if (cut === "in the body") {
    request.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    await sleep(beforeCutMs);
    request.destroy();
  } else {
    for (const piece of piecesOf(bytes, spreadMs === 0 ? 1 : pieces)) {
      request.write(piece);
      if (spreadMs > 0) await sleep(spreadMs / pieces);
    }
    request.end();
    if (cut !== undefined) {
      await sleep(beforeCutMs);
      request.destroy();
    }
  }
  return response;
}

/** Reads the receiver's report about a drill. Null unless the receiver answers 200 with JSON. */
export async function readJson(target: Target, query: Record<string, string>, headers: Record<string, string>) {
  const url = new URL(target.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const request = open({ ...target, url }, "GET", headers);
  const body = new Promise<Buffer | null>((resolve) => {
    request.once("response", (response) =>
      response.statusCode === 200 ? buffer(response).then(resolve, () => resolve(null)) : resolve(null),
    );
    request.once("error", () => resolve(null));
  });
  request.setTimeout(target.limitMs, () => request.destroy());
  request.end();
  try {
    return JSON.parse(String(await body)) as unknown;
  } catch {
    return null;
  } finally {
    request.destroy();
  }
}

function open({ url, ca }: Target, method: string, headers: Readonly<Record<string, string>>): ClientRequest {
  const options = {
    method,
    headers: { "user-agent": "BeatMarketplace-Webhooks/1.0", ...headers },
    agent: false as const,
  };
  return url.protocol === "https:"
    ? httpsRequest(url, { ...options, ...(ca !== undefined && { ca }) })
    : httpRequest(url, options);
}

function responseTo(request: ClientRequest, limitMs: number): Promise<Response> {
  return new Promise((resolve) => {
    const end = (status: number | null, words: string) => {
      clearTimeout(timer);
      resolve({ status, words });
      request.destroy();
    };
    const timer = setTimeout(() => end(null, `no answer within ${limitMs / 1_000} s`), limitMs);
    request.once("response", (response: IncomingMessage) => {
      const { statusCode = 0 } = response;
      response.on("error", () => {});
      response.resume();
      end(statusCode, String(statusCode));
    });
    request.once("close", () => end(null, "a closed connection"));
    request.on("error", ({ code, message }: NodeJS.ErrnoException) => end(null, `no answer (${code ?? message})`));
  });
}

function piecesOf(bytes: Buffer, count: number): Buffer[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}
