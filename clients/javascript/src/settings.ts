import { BeatMarketError } from "./errors.ts";
import { type ExtraHeaders, extraHeaders } from "./headers.ts";
import { type Hooks, hooksOf, type LogLevel, logLevelOf } from "./hooks.ts";
import { runtime } from "./runtime/runtime.ts";
import { fetchTransport, isPem, type Transport } from "./runtime/transport.ts";
import { version } from "./version.ts";

/** Receives a line for each response and for each retry, without keys and secrets. `console` is a logger. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

export interface Options extends Hooks {
  /** The API key. Default: BEATMARKET_API_KEY of the environment. */
  apiKey?: string | undefined;
  /** Must end in `/v1`. Default: BEATMARKET_BASE_URL, otherwise https://localhost:8443/v1. */
  baseUrl?: string | undefined;
  /** PEM file of the certificate authorities to trust instead of the system's. Default: BEATMARKET_CA_FILE. Node only. */
  caFile?: string | undefined;
  /** The authorities as PEM text or bytes. A `fetch` option receives them as `init.tls.ca`, which Bun's fetch reads. */
  ca?: string | Uint8Array | undefined;
  /** Limit of each attempt, including the response body. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Attempts after the first. Default 2. */
  maxRetries?: number | undefined;
  /** If the service requests a longer wait, the call fails immediately. Default 60,000. */
  maxRetryAfterMs?: number | undefined;
  logger?: Logger | undefined;
  /** Sent with each request to the API, in addition to the client's own. */
  headers?: ExtraHeaders | undefined;
  /** Names your program at the end of the User-Agent, such as `my-shop/1.2`. */
  userAgentSuffix?: string | undefined;
  /** Allows a base URL in plain http on any host, for example of a side-car. Everybody on the way can read the key. */
  allowHttp?: boolean | undefined;
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch | undefined;
  /** Allows use in a browser, where everybody who opens the page can read the key. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

export interface Settings {
  apiKey: string;
  /** Without a trailing slash. */
  baseUrl: URL;
  transport: Transport;
  timeoutMs: number;
  maxRetries: number;
  maxRetryAfterMs: number;
  logger: Logger | undefined;
  headers: Readonly<Record<string, string>>;
  userAgent: string;
  hooks: Hooks;
  logLevel: LogLevel | undefined;
}

function loggerOf(logger: Logger | null | undefined): Logger | undefined {
  if (!logger || (typeof logger.debug === "function" && typeof logger.warn === "function")) return logger ?? undefined;
  throw new BeatMarketError("The logger takes an object with debug and warn, such as console.");
}

const defaultBaseUrl = "https://localhost:8443/v1";

/** Globals that identify the runtime; none exists everywhere. */
const globals = globalThis as {
  process?: { env?: Record<string, string | undefined>; versions?: Record<string, string | undefined> };
  Deno?: { version?: { deno?: string } };
  navigator?: { userAgent?: string };
  document?: unknown;
  DedicatedWorkerGlobalScope?: unknown;
};

const optionNames = [
  ...["apiKey", "baseUrl", "caFile", "ca", "timeoutMs", "maxRetries", "maxRetryAfterMs", "logger", "fetch"],
  ...["headers", "userAgentSuffix", "allowHttp", "onRequest", "onResponse", "dangerouslyAllowBrowser"],
];

/** Throws a BeatMarketError if the options are not an object, or for an unknown name. */
export function checkNames(options: object, names: readonly string[]): void {
  if (typeof options !== "object")
    throw new BeatMarketError(`The options are ${JSON.stringify(options)}; they take an object.`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new BeatMarketError(`The option ${unknown} is unknown; the options are ${names.join(", ")}.`);
}

/** Completes the options from the environment and the defaults. Throws a BeatMarketError that names the remedy. */
export function settingsOf(options: Options): Settings {
  checkNames(options, optionNames);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    throw new BeatMarketError(
      "An API key in a browser can be read by everybody who opens the page. Call the API from a server; if there is nothing to lose, pass dangerouslyAllowBrowser: true.",
    );
  const address = options.baseUrl ?? environment("BEATMARKET_BASE_URL") ?? defaultBaseUrl;
  const baseUrl = baseUrlOf(address, options.allowHttp === true);
  return {
    apiKey: apiKeyOf(options.apiKey ?? environment("BEATMARKET_API_KEY")),
    baseUrl,
    transport: transportOf(options, baseUrl),
    timeoutMs: numberOf("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: numberOf("maxRetries", options.maxRetries ?? 2, 0),
    maxRetryAfterMs: numberOf("maxRetryAfterMs", options.maxRetryAfterMs ?? 60_000, 0),
    logger: loggerOf(options.logger),
    headers: extraHeaders(options.headers),
    userAgent: `beatmarket-javascript/${version} ${runtimeName()}${suffixOf(options.userAgentSuffix)}`,
    hooks: hooksOf(options),
    logLevel: logLevelOf(environment("BEATMARKET_LOG")),
  };
}

/** Throws a BeatMarketError unless `value` is a whole number from `least` to the maximum delay of a timer. */
export function numberOf(name: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1)
    throw new BeatMarketError(`${name} is ${value}; it takes a whole number from ${least} to 2147483647.`);
  return value;
}

/** The runtime as the User-Agent names it, such as `node/26.1.0`. */
export function runtimeName(): string {
  const { Deno: deno, process: node, navigator } = globals;
  if (deno?.version?.deno !== undefined) return `deno/${deno.version.deno}`;
  if (node?.versions?.bun !== undefined) return `bun/${node.versions.bun}`;
  if (navigator?.userAgent === "Cloudflare-Workers") return "cloudflare-workers";
  return node?.versions?.node === undefined ? "unknown" : `node/${node.versions.node}`;
}

function isBrowser(): boolean {
  const { document, DedicatedWorkerGlobalScope, process: node, Deno: deno } = globals;
  const isServer = node?.versions?.node !== undefined || deno !== undefined;
  return !isServer && (document !== undefined || DedicatedWorkerGlobalScope !== undefined);
}

function environment(name: string): string | undefined {
  try {
    return globals.process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno without permission to read it.
  }
}

/** Removes white space at both ends, which a key or address that was read from a file may have. */
const trimmed = (text: string): string => text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, "");

function apiKeyOf(value: string | undefined): string {
  const key = typeof value === "string" ? trimmed(value) : "";
  if (key === "")
    throw new BeatMarketError("There is no API key: pass apiKey, or set the environment variable BEATMARKET_API_KEY.");
  // Checked here, since the runtime's error would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new BeatMarketError("The API key has a space, a line break or another character that no key has.");
  return key;
}

function suffixOf(value: string | null | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string" && /^[\x20-\x7e]+$/.test(value)) return ` ${value}`;
  throw new BeatMarketError("The userAgentSuffix takes one line of ASCII, such as my-shop/1.2.");
}

function baseUrlOf(value: string, allowsHttp: boolean): URL {
  const text = typeof value === "string" ? trimmed(value) : "";
  // Checked first, since the URL parser ignores line breaks and tabs.
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search + url.hash + url.username + url.password !== ""
  )
    throw new BeatMarketError("The base URL takes a URL such as https://localhost:8443/v1.");
  if (!allowsHttp && !isConfidential(url))
    throw new BeatMarketError(
      "The base URL begins with http:, which sends the key unencrypted; use https:, or pass allowHttp: true.",
    );
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** Whether nobody on the network can read a request to this URL: it is https, or this machine. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));

function transportOf({ ca, caFile, fetch }: Options, baseUrl: URL): Transport {
  if (caFile !== undefined && (ca !== undefined || fetch !== undefined))
    throw new BeatMarketError(
      "caFile and ca exclude each other, and so do caFile and fetch: pass the certificates as ca.",
    );
  const text = ca instanceof Uint8Array ? new TextDecoder().decode(ca) : ca;
  if (text !== undefined && !isPem(text))
    throw new BeatMarketError("ca takes certificates in PEM form, as text or bytes.");
  if (fetch !== undefined) return fetchTransport(fetch, text);
  const file = text === undefined ? (caFile ?? environment("BEATMARKET_CA_FILE")) : undefined;
  return runtime.transport(baseUrl.protocol === "http:" ? {} : { ca: text, caFile: file });
}
