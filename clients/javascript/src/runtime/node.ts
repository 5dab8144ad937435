import type { Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent, request } from "node:https";
import { BeatMarketError } from "../errors.ts";
import { type Authorities, isPem, type Transport, type WireResponse } from "./transport.ts";

type FileSystem = typeof import("node:fs/promises") &
  Pick<typeof import("node:path"), "basename" | "join"> &
  Pick<typeof import("node:crypto"), "createHash">;

/** The functions for reading and writing files. */
export const fileSystem = async (): Promise<FileSystem> => {
  const { basename, join } = builtin("node:path");
  return { ...builtin("node:fs/promises"), basename, join, createHash: builtin("node:crypto").createHash };
};

const modules: Record<string, object | undefined> = {};

/**
 * Loads a module of Node when it is needed. It does not use `import()`, because Jest does not run `import()` in CommonJS,
 * and because a module namespace does not have the `request` with which nock and MSW replace the original.
 */
const builtin = ((name: string) => {
  modules[name] ??= process.getBuiltinModule(name);
  return modules[name];
}) as typeof process.getBuiltinModule;

/**
 * A transport over Node's https: Node's fetch supports no certificate authorities, and proxies only by a setting of the
 * process.
 */
export function nodeTransport(authorities: Authorities): Transport {
  let loading: ReturnType<typeof agents> | undefined;
  return async (sent) => {
    loading ??= agents(authorities).catch((error) => {
      loading = undefined;
      throw error;
    });
    const agent = await loading;
    sent.deadline.throwIfOver();
    return sent.url.protocol === "http:"
      ? send(builtin("node:http").request, agent.http, sent)
      : send(builtin("node:https").request, agent.https, sent);
  };
}

/** `proxyEnv` makes HTTPS_PROXY, HTTP_PROXY and NO_PROXY work, from Node 24 on. */
async function agents({ ca: text, caFile }: Authorities): Promise<{ http: HttpAgent; https: HttpsAgent }> {
  const options = { keepAlive: true, proxyEnv: process.env };
  const ca = caFile === undefined ? text : await readAuthorities(caFile);
  const http = builtin("node:http");
  const https = builtin("node:https");
  return { http: new http.Agent(options), https: new https.Agent({ ...options, ...(ca !== undefined && { ca }) }) };
}

async function readAuthorities(caFile: string): Promise<string> {
  const { readFile } = await fileSystem();
  const ca = await readFile(caFile, "utf8").catch((cause) => {
    throw new BeatMarketError(`The CA file ${caFile} cannot be read.`, { cause });
  });
  if (isPem(ca)) return ca;
  throw new BeatMarketError(`The CA file ${caFile} has no certificate in PEM form.`);
}

const send = (
  start: typeof request,
  agent: HttpAgent,
  { method, url, headers, body, deadline }: Parameters<Transport>[0],
) =>
  new Promise<WireResponse>((resolve, reject) => {
    const { port, pathname, search } = url;
    const hostname = url.hostname.replace(/^\[|\]$/g, ""); // Only URLs put an IPv6 address in brackets.
    // Only JSON is requested in a compressed form. The bytes of files are used as they arrive.
    const encodings = headers.accept === "application/json" ? { "accept-encoding": "br, gzip" } : {};
    const path = pathname + search;
    const asked = { method, hostname, port, path, headers: { ...encodings, ...headers }, agent };
    const outgoing = start(asked, (incoming) => {
      if (signal !== undefined) incoming.once("close", () => signal.removeEventListener("abort", abort));
      incoming.on("error", () => {}); // If the body breaks before it is read, reading it throws.
      resolve({
        status: incoming.statusCode ?? 0,
        header: (name) => headerOf(incoming.rawHeaders, name),
        headers: () => headersOf(incoming.rawHeaders),
        text: async () => {
          const chunks: Uint8Array[] = [];
          await new Promise((ended, broken) => {
            incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
            incoming.on("error", broken);
            incoming.on("end", ended);
          });
          const bytes = Buffer.concat(chunks);
          return decoded(bytes, headerOf(incoming.rawHeaders, "content-encoding")).toString("utf8");
        },
        bytes: () => incoming,
      });
    });
    deadline.stop = (reason) => outgoing.destroy(reason as Error);
    const { signal } = deadline;
    const abort = () => deadline.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** Decompresses in the main thread: for some kilobytes, that takes less time than waiting for another thread. */
function decoded(bytes: Buffer, encoding: string | null): Buffer {
  if (encoding === null || bytes.length === 0) return bytes;
  const { brotliDecompressSync, gunzipSync } = builtin("node:zlib");
  if (encoding === "br") return brotliDecompressSync(bytes);
  return /^(x-)?gzip$/.test(encoding) ? gunzipSync(bytes) : bytes;
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
