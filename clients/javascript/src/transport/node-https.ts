import type { Agent, request } from "node:https";
import { BeatMarketError } from "../errors.ts";
import type { Transport, WireResponse } from "./transport.ts";

interface Loaded {
  send: typeof request;
  agent: Agent;
}

/** A transport over Node's https, for custom certificate authorities: `fetch` has no option for them. */
export function nodeHttpsTransport(caFile: string): Transport {
  let loading: Promise<Loaded> | undefined;
  return async ({ method, url, headers, body, signal, receive }) => {
    loading ??= load(caFile).catch((error) => {
      loading = undefined;
      throw error;
    });
    const { send, agent } = await loading;
    signal.throwIfAborted();
    return new Promise<WireResponse>((resolve, reject) => {
      const { port, pathname, search } = url;
      const hostname = url.hostname.replace(/^\[|\]$/g, ""); // Only URLs put an IPv6 address in brackets.
      const outgoing = send({ method, hostname, port, path: pathname + search, headers, agent }, (incoming) => {
        const head = {
          status: incoming.statusCode ?? 0,
          header: (name: string) => headerOf(incoming.rawHeaders, name),
        };
        const chunks: Uint8Array[] = [];
        const end = () => {
          signal.removeEventListener("abort", abort);
          resolve({
            ...head,
            headers: () => headersOf(incoming.rawHeaders),
            text: Buffer.concat(chunks).toString("utf8"),
          });
        };
        if (receive !== undefined) {
          readInto(incoming, receive(head) ?? (async (chunk) => void chunks.push(chunk))).then(end, (error) => {
            outgoing.destroy();
            reject(error);
          });
          return;
        }
        incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", end);
      });
      const abort = () => outgoing.destroy(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  };
}

async function readInto(body: AsyncIterable<Uint8Array>, write: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  for await (const chunk of body) await write(chunk);
}

async function load(caFile: string): Promise<Loaded> {
  const [{ Agent, request }, { readFile }] = await Promise.all([import("node:https"), import("node:fs/promises")]);
  const ca = await readFile(caFile, "utf8").catch((cause) => {
    throw new BeatMarketError(`The CA file ${caFile} cannot be read.`, { cause });
  });
  if (!ca.includes("-----BEGIN CERTIFICATE-----"))
    throw new BeatMarketError(`The CA file ${caFile} has no certificate in PEM form.`);
  return { send: request, agent: new Agent({ keepAlive: true, ca }) };
}

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
