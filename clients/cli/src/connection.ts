import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "../../javascript/src/settings.ts";
import { type Config, readConfig } from "./config-file.ts";
import { CommandError } from "./errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of every command. */
export interface GlobalOptions {
  json?: true;
  include?: true;
  server?: string;
  apiKey?: string;
  ca?: string;
  timeout?: number;
  maxRetries?: number;
  maxRetryAfter?: number;
  allowHttp?: true;
  verbose?: true;
}

/** The server of a command, and the authority that signed its certificate. */
export interface Server {
  /** `https://localhost:8443` */
  origin: string;
  baseUrl: string;
  caFile: string | undefined;
  config: Config;
}

const defaultServer = "https://localhost:8443";

/**
 * The server from the options, else the environment, else the last login, else `defaultServer`. Throws a CommandError
 * that names the remedy.
 */
export function serverOf(options: GlobalOptions, environment: Environment): Server {
  const config = readConfig(environment);
  const address = (options.server ?? (environment.BEATMARKET_BASE_URL || config.server) ?? defaultServer).trim();
  // The characters are checked first, because the URL parser ignores line breaks and tabs.
  const url = /^[\x21-\x7e]+$/.test(address) && URL.canParse(address) ? new URL(address) : null;
  const path = url?.pathname.replace(/\/$/, "");
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new CommandError(`--server is ${address}; it takes the address of a server, such as https://localhost:8443.`);
  const { origin } = url;
  const caFile = options.ca ?? (environment.BEATMARKET_CA_FILE || config.profiles[origin]?.ca);
  if (caFile !== undefined && !existsSync(caFile)) throw new CommandError(`The CA file ${caFile} does not exist.`);
  return { origin, baseUrl: `${origin}${path === "" ? "/v1" : path}`, caFile: caFile && resolve(caFile), config };
}

/** The options of a client for this command. */
export function clientOptions(options: GlobalOptions, environment: Environment) {
  const { origin, baseUrl, caFile, config } = serverOf(options, environment);
  const apiKey = options.apiKey ?? (environment.BEATMARKET_API_KEY || config.profiles[origin]?.apiKey);
  if (apiKey === undefined || apiKey === "")
    throw new CommandError(
      `There is no API key for ${origin}. Log in with \`beatmarket-cli login\`, or set BEATMARKET_API_KEY.`,
    );
  return {
    apiKey,
    baseUrl,
    caFile,
    ...(options.timeout !== undefined && { timeoutMs: Math.round(options.timeout * 1_000) }),
    ...(options.maxRetries !== undefined && { maxRetries: options.maxRetries }),
    ...(options.maxRetryAfter !== undefined && { maxRetryAfterMs: Math.round(options.maxRetryAfter * 1_000) }),
    ...(options.allowHttp === true && { allowHttp: true }),
    ...(options.verbose === true && { logger: standardError }),
  };
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);
const standardError: Logger = { debug: print, warn: print };
