import { BeatMarketError } from "./errors.ts";
import { fetchTransport } from "./transport/fetch.ts";
import { nodeHttpsTransport } from "./transport/node-https.ts";
import type { Transport } from "./transport/transport.ts";

/** Gets a line for each try; `console` is one. Keys and secrets are in none. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

export interface Options {
  /** The API key; else the environment's BEATMARKET_API_KEY. */
  apiKey?: string | undefined;
  /** Ends in `/v1`; else BEATMARKET_BASE_URL, else https://localhost:8443/v1. */
  baseUrl?: string | undefined;
  /** PEM file with the authorities to trust instead of the system's; else BEATMARKET_CA_FILE. Only on Node. */
  caFile?: string | undefined;
  /** For each try, the body of the answer included. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Tries after the first. Default 2. */
  maxRetries?: number | undefined;
  /** When the service asks to wait longer, the error comes at once. Default 60,000. */
  maxRetryAfterMs?: number | undefined;
  logger?: Logger | undefined;
  /** Used instead of the global one, such as for a proxy. */
  fetch?: typeof fetch | undefined;
  /** In a browser everybody who opens the page can read the key. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

export interface Settings {
  apiKey: string;
  /** Without a slash at the end. */
  baseUrl: URL;
  transport: Transport;
  timeoutMs: number;
  maxRetries: number;
  maxRetryAfterMs: number;
  logger: Logger | undefined;
}

const defaultBaseUrl = "https://localhost:8443/v1";

/** The runtime's globals that tell where this runs; none is everywhere. */
const runtime = globalThis as {
  process?: { env?: Record<string, string | undefined>; versions?: Record<string, string | undefined> };
  Deno?: { version?: { deno?: string } };
  navigator?: { userAgent?: string };
  document?: unknown;
  DedicatedWorkerGlobalScope?: unknown;
};

/** The options with what the environment and the defaults say. Throws a BeatMarketError that says what to do. */
export function settingsOf(options: Options): Settings {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    throw new BeatMarketError(
      "An API key in a browser can be read by everybody who opens the page. Call the API from a server; if there is nothing to lose, pass dangerouslyAllowBrowser: true.",
    );
  const baseUrl = baseUrlOf(options.baseUrl ?? environment("BEATMARKET_BASE_URL") ?? defaultBaseUrl);
  return {
    apiKey: apiKeyOf(options.apiKey ?? environment("BEATMARKET_API_KEY")),
    baseUrl,
    transport: transportOf(options, baseUrl),
    timeoutMs: numberOf("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: numberOf("maxRetries", options.maxRetries ?? 2, 0),
    maxRetryAfterMs: numberOf("maxRetryAfterMs", options.maxRetryAfterMs ?? 60_000, 0),
    logger: options.logger,
  };
}

/** A whole number from `least` on, up to the longest time that a timer takes. */
export function numberOf(name: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
    throw new BeatMarketError(`${name} is ${value}; it takes a whole number from ${least} to 2147483647.`);
  return value;
}

/** The runtime as the User-Agent names it, such as `node/26.1.0`. */
export function runtimeName(): string {
  const { Deno: deno, process: node, navigator } = runtime;
  if (deno?.version?.deno !== undefined) return `deno/${deno.version.deno}`;
  if (node?.versions?.bun !== undefined) return `bun/${node.versions.bun}`;
  if (navigator?.userAgent === "Cloudflare-Workers") return "cloudflare-workers";
  return node?.versions?.node === undefined ? "unknown" : `node/${node.versions.node}`;
}

function isBrowser(): boolean {
  const { document, DedicatedWorkerGlobalScope, process: node, Deno: deno } = runtime;
  const isServer = node?.versions?.node !== undefined || deno !== undefined;
  return !isServer && (document !== undefined || DedicatedWorkerGlobalScope !== undefined);
}

function environment(name: string): string | undefined {
  try {
    return runtime.process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno without the permission to read it.
  }
}

function apiKeyOf(key: string | undefined): string {
  if (typeof key !== "string" || key === "")
    throw new BeatMarketError("There is no API key: pass apiKey, or set the environment variable BEATMARKET_API_KEY.");
  // What a header cannot carry would be quoted in the runtime's error.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new BeatMarketError("The API key has a space, a line end or another character that no key has.");
  return key;
}

function baseUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search + url.hash + url.username + url.password !== ""
  )
    throw new BeatMarketError("The base address takes a URL such as https://localhost:8443/v1.");
  if (url.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new BeatMarketError(
      "The base address begins with http:, which would show the key to the network; use https:.",
    );
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

function transportOf(options: Options, baseUrl: URL): Transport {
  if (options.fetch !== undefined) {
    if (options.caFile === undefined) return fetchTransport(options.fetch);
    throw new BeatMarketError("caFile and fetch exclude each other: fetch cannot be told a certificate authority.");
  }
  const caFile = options.caFile ?? environment("BEATMARKET_CA_FILE");
  // Looked up for each call, so that what replaces the global one later counts.
  if (caFile === undefined || baseUrl.protocol === "http:")
    return fetchTransport((input, init) => globalThis.fetch(input, init));
  if (!runtimeName().startsWith("node/"))
    throw new BeatMarketError(
      "caFile works on Node only. Elsewhere the runtime is told: DENO_CERT, or NODE_EXTRA_CA_CERTS on Bun; or pass a fetch of your own.",
    );
  return nodeHttpsTransport(caFile);
}
