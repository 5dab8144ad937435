import { once } from "node:events";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Certificate } from "./certificates.ts";

/** A request that the proxy received. */
export interface ProxiedRequest {
  method: string;
  /** Path and query as sent, percent-encoded. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The body as text; `bytes` has it as received. */
  body: string;
  bytes: Buffer;
  /** The number of the connection that carried the request, counted from the start of the proxy. */
  connection: number;
  /** The time of arrival, in milliseconds of a monotonic clock. */
  atMs: number;
  /**
   * The time just before the response was sent, so that the wait until the next request is never measured as too short.
   */
  respondedMs?: number;
  /** The response; absent if the proxy sent none. */
  response?: ProxiedResponse;
}

export interface ProxiedResponse {
  status: number;
  headers: Record<string, string>;
  /** A buffer for a body that is not text. */
  body: string | Buffer;
}

/** What the proxy does with one request. */
export type Fault =
  | { kind: "respond"; response: ProxiedResponse }
  /** Passes the request on and modifies the response. Drops the response if `change` returns undefined. */
  | { kind: "change"; change: (response: ProxiedResponse) => ProxiedResponse | undefined }
  /** Passes the request on and drops the response. */
  | { kind: "lose" }
  | { kind: "drop" }
  /** Passes the request on, and cuts the connection after this number of bytes of the response's body. */
  | { kind: "break"; afterBytes: number }
  /** Passes on the head and this number of bytes of the request's body, then cuts both connections. */
  | { kind: "cut"; afterBytes: number }
  | { kind: "stall"; after: "nothing" | "headers" };

/** Chooses the fault for a request by its content and its number, counted from 0. Undefined passes the request on. */
export type Plan = (proxied: ProxiedRequest, index: number) => Fault | undefined;

export interface FaultProxy {
  origin: string;
  /** Requests since the last `begin`. */
  requests: ProxiedRequest[];
  /** TCP connections since the last `begin`, including those without a request. */
  connections: number;
  /** Method and path of all requests. */
  everSeen: { method: string; path: string }[];
  /** Clears the recorded requests and sets a new plan. */
  begin(plan?: Plan): void;
  close(): Promise<void>;
}

interface Upstream {
  origin: string;
  ca: string;
  certificate: Certificate;
}

/** An HTTPS proxy that applies the planned faults, and replaces the server's origin in responses by its own. */
export async function startFaultProxy({ origin: upstream, ca, certificate }: Upstream): Promise<FaultProxy> {
  let plan: Plan = () => undefined;
  // Each request has a new connection, because the service closes idle ones, and a request on a connection that is just
  // being closed would be lost.
  const agent = new Agent({ ca });
  const server = createServer(certificate, (incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Scenarios count connections, so an idle connection must stay open even on a busy machine.
  server.keepAliveTimeout = 600_000;
  const numbers = new WeakMap<Duplex, number>();
  let lastNumber = 0;
  server.on("connection", () => {
    proxy.connections += 1;
  });
  server.on("secureConnection", (socket) => {
    lastNumber += 1;
    numbers.set(socket, lastNumber);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const proxy: FaultProxy = {
    origin,
    requests: [],
    connections: 0,
    everSeen: [],
    begin: (next = () => undefined) => {
      proxy.requests = [];
      proxy.connections = 0;
      plan = next;
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = incoming;
    const bytes = await buffer(incoming);
    const connection = numbers.get(incoming.socket) ?? 0;
    const atMs = performance.now();
    const proxied: ProxiedRequest = { method, url, headers, body: bytes.toString("utf8"), bytes, connection, atMs };
    const fault = plan(proxied, proxy.requests.push(proxied) - 1);
    proxy.everSeen.push({ method, path: url.split("?")[0] ?? "" });
    if (fault?.kind === "drop") return void outgoing.socket?.destroy();
    if (fault?.kind === "stall") return stall(outgoing, fault.after);
    if (fault?.kind === "cut") {
      await passOnPart(proxied, fault.afterBytes);
      return void outgoing.socket?.destroy();
    }
    const passedOn = fault?.kind === "respond" ? fault.response : await passOn(proxied);
    const response = fault?.kind === "change" ? fault.change(passedOn) : passedOn;
    if (fault?.kind === "lose" || response === undefined) return void outgoing.socket?.destroy();
    proxied.response = response;
    proxied.respondedMs = performance.now();
    const hasBody = method !== "HEAD" && response.status !== 204;
    outgoing.writeHead(response.status, {
      ...response.headers,
      ...(hasBody && { "content-length": Buffer.byteLength(response.body) }),
    });
    if (fault?.kind !== "break") return void outgoing.end(response.body);
    outgoing.write(Buffer.from(response.body as string).subarray(0, fault.afterBytes), () => outgoing.destroy());
  }

  function open({ method, url, headers }: ProxiedRequest): ClientRequest {
    const { host: _, "accept-encoding": __, ...forwarded } = headers;
    return request(`${upstream}${url}`, { method, agent, headers: forwarded });
  }

  /** Ends the connection after the bytes have been sent, so that the server reads them before it sees the end. */
  async function passOnPart(proxied: ProxiedRequest, bytes: number): Promise<void> {
    const forwarded = open(proxied);
    forwarded.on("error", () => {});
    forwarded.write(proxied.bytes.subarray(0, bytes), () => forwarded.socket?.end());
    await new Promise((resolve) => forwarded.once("close", resolve));
  }

  async function passOn(proxied: ProxiedRequest): Promise<ProxiedResponse> {
    const forwarded = open(proxied).end(proxied.bytes);
    const [received] = (await once(forwarded, "response")) as [IncomingMessage];
    const bytes = await buffer(received);
    const isText =
      /^text\/|json/.test(received.headers["content-type"] ?? "") || received.headers["content-type"] === undefined;
    const body = isText ? bytes.toString("utf8").replaceAll(upstream, origin) : bytes;
    const { "content-length": ___, "transfer-encoding": ____, connection: _____, ...otherHeaders } = received.headers;
    const responseHeaders = Object.fromEntries(
      Object.entries(otherHeaders).map(([name, value]) => [name, String(value).replaceAll(upstream, origin)]),
    );
    return { status: received.statusCode ?? 0, headers: responseHeaders, body };
  }
  return proxy;
}

function stall(outgoing: ServerResponse, after: "nothing" | "headers"): void {
  if (after === "nothing") return;
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
  outgoing.write('{"status":"success","data":{');
}

/** A fault that responds with JSON, or with text if the body is a string. */
export const responding = (status: number, body: unknown, headers: Record<string, string> = {}): Fault => ({
  kind: "respond",
  response: {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  },
});

/** A fault that modifies the `data` of the server's response in place. */
// biome-ignore lint/suspicious/noExplicitAny: each scenario knows which response it changes.
export const changing = (change: (data: any) => void): Fault => ({
  kind: "change",
  change: (response) => {
    const body = JSON.parse(String(response.body)) as { data: unknown };
    change(body.data);
    return { ...response, body: JSON.stringify(body) };
  },
});

/** An error body in the API's envelope. */
export const errorBody = (code: string, message = "Message", details = "Details.") => ({
  status: "error",
  error: { code, message, details },
});
