import type { Agent } from "node:https";
import { BeatMarketError } from "../errors.ts";
import type { Transport, WireResponse } from "./transport.ts";

/** The functions for reading and writing files. */
export const fileSystem = async () => {
  const [files, { basename, join }, { createHash }] = await Promise.all([
    import("node:fs/promises"),
    import("node:path"),
    import("node:crypto"),
  ]);
  return { ...files, basename, join, createHash };
};

/**
 * A transport over Node's https: Node's fetch supports no certificate authorities, and proxies only by a setting of the
 * process.
 */
export function nodeTransport(caFile: string | undefined): Transport {
  let loading: ReturnType<typeof load> | undefined;
  return async (sent) => {
    loading ??= load(caFile).catch((error) => {
      loading = undefined;
      throw error;
    });
    const modules = await loading;
    sent.signal.throwIfAborted();
    return send(sent.url.protocol === "http:" ? modules.http : modules.https, sent);
  };
}

interface Sender {
  request: typeof import("node:https").request;
  agent: Agent;
}

/** `proxyEnv` makes HTTPS_PROXY, HTTP_PROXY and NO_PROXY work, from Node 24 on. */
async function load(caFile: string | undefined): Promise<{ http: Sender; https: Sender }> {
  const [http, https] = await Promise.all([import("node:http"), import("node:https")]);
  const options = { keepAlive: true, proxyEnv: process.env };
  const ca = caFile === undefined ? {} : { ca: await authorities(caFile) };
  return {
    http: { request: http.request as Sender["request"], agent: new http.Agent(options) as Agent },
    https: { request: https.request, agent: new https.Agent({ ...options, ...ca }) },
  };
}

async function authorities(caFile: string): Promise<string> {
  const { readFile } = await fileSystem();
  const ca = await readFile(caFile, "utf8").catch((cause) => {
    throw new BeatMarketError(`The CA file ${caFile} cannot be read.`, { cause });
  });
  if (ca.includes("-----BEGIN CERTIFICATE-----")) return ca;
  throw new BeatMarketError(`The CA file ${caFile} has no certificate in PEM form.`);
}

const send = ({ request, agent }: Sender, { method, url, headers, body, signal }: Parameters<Transport>[0]) =>
  new Promise<WireResponse>((resolve, reject) => {
    const { port, pathname, search } = url;
    const hostname = url.hostname.replace(/^\[|\]$/g, ""); // Only URLs put an IPv6 address in brackets.
    const outgoing = request({ method, hostname, port, path: pathname + search, headers, agent }, (incoming) => {
      incoming.once("close", () => signal.removeEventListener("abort", abort));
      incoming.on("error", () => {}); // If the body breaks before it is read, reading it throws.
      resolve({
        status: incoming.statusCode ?? 0,
        header: (name) => headerOf(incoming.rawHeaders, name),
        headers: () => headersOf(incoming.rawHeaders),
        text: () =>
          new Promise((ended, broken) => {
            const chunks: Uint8Array[] = [];
            incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
            incoming.on("error", broken);
            incoming.on("end", () => ended(Buffer.concat(chunks).toString("utf8")));
          }),
        bytes: () => incoming,
      });
    });
    const abort = () => outgoing.destroy(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** The first value of a header in a list of alternating names and values. Node's own look-up parses all headers first. */
function headerOf(raw: string[], name: string): string | null {
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.length === name.length && raw[at]?.toLowerCase() === name) return raw[at + 1] ?? null;
  return null;
}

function headersOf(raw: string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  return headers;
}
