import { type EngineAddress, engineAddress } from "@beatmarket/catalogue-opensearch/address.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { parseVerifierKey } from "@beatmarket/transparency-log/note.ts";
import type { WitnessAddress } from "@beatmarket/transparency-log/witness.ts";

/** The settings of the request log. */
export interface RequestLogSettings {
  /** The maximum size of the request log in the database, in megabytes. The oldest calls above it are deleted. */
  requestLogMaxMb: number;
  /** The VictoriaLogs that stores the calls; undefined if the database stores them. */
  requestLogEngine: LogEngineAddress | undefined;
}

/** The address of VictoriaLogs, which accepts both inserts and queries. */
export interface LogEngineAddress {
  /** The base URL, without a slash at the end. */
  url: string;
  /** The value of the header Authorization; null without credentials. */
  authorization: string | null;
}

/** Reads REQUEST_LOG_URL and REQUEST_LOG_MAX_MB. */
export function readRequestLog(text: (name: string) => string | undefined): RequestLogSettings {
  const url = text("REQUEST_LOG_URL");
  const maxMb = text("REQUEST_LOG_MAX_MB");
  if (url !== undefined && maxMb !== undefined)
    throw new OperatorError(
      "REQUEST_LOG_MAX_MB bounds the log in the database, and REQUEST_LOG_URL moves the log to VictoriaLogs; leave REQUEST_LOG_MAX_MB out, and start VictoriaLogs with -retention.maxDiskSpaceUsageBytes.",
    );
  return {
    requestLogMaxMb: megabytes(maxMb ?? "10000"),
    requestLogEngine: url === undefined ? undefined : logEngineAddress(url),
  };
}

function megabytes(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new OperatorError(
      `REQUEST_LOG_MAX_MB is "${value}"; it takes megabytes, a whole number from 1 to 999999999.`,
    );
  return Number(value);
}

const scheme = /^victorialogs(\+https)?:\/\//;

function logEngineAddress(value: string): LogEngineAddress {
  const [matched, tls] = scheme.exec(value) ?? [];
  const url =
    matched === undefined ? null : URL.parse(value.replace(matched, tls === undefined ? "http://" : "https://"));
  // The message omits the URL, which may contain a password.
  const authorization = url && basicOf(url);
  if (url === null || authorization === undefined || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    throw new OperatorError(
      "REQUEST_LOG_URL takes a URL such as victorialogs://logs.example.com:9428 or victorialogs+https://user:password@logs.example.com:9428.",
    );
  // `URL` omits the default port of HTTP or HTTPS, but here a missing port means 9428. So the text is searched for it.
  const port = /:(\d+)\/?$/.exec(value)?.[1] ?? "9428";
  return { url: `${url.protocol}//${url.hostname}:${port}`, authorization };
}

/** The value of the header Authorization. Null without credentials; undefined for an invalid percent-encoding. */
function basicOf({ username, password }: URL): string | null | undefined {
  if (username === "" && password === "") return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch {
    return undefined;
  }
}

/** Reads `CATALOGUE_ENGINE`. Returns null for the index in the memory of each server. */
export function catalogueEngine(value: string | undefined): EngineAddress | null {
  if (value === undefined) return null;
  const address = engineAddress(value);
  // The message omits the URL, which may contain a password.
  if (address === null)
    throw new OperatorError(
      "CATALOGUE_ENGINE takes the nodes of an OpenSearch cluster, such as opensearch://one:9200,two:9200, opensearch://user:password@one:9200/prefix or, with TLS, opensearch+tls://one:9200.",
    );
  return address;
}

/** Reads `LICENSE_LOG_WITNESSES`: a verifier key and the submission prefix of each witness. */
export function licenseLogWitnesses(value: string | undefined): WitnessAddress[] {
  if (value === undefined) return [];
  return value.split(",").map((pair) => {
    const [key = "", url = "", ...more] = pair.trim().split(/\s+/);
    try {
      const { protocol, href } = new URL(url);
      if (more.length > 0 || !["https:", "http:"].includes(protocol)) throw new TypeError();
      return { verifier: parseVerifierKey(key, "cosignature"), url: href.replace(/\/$/, "") };
    } catch {
      throw new OperatorError(
        `LICENSE_LOG_WITNESSES has "${pair.trim()}"; it takes the verifier key and the address of each witness, such as "witness.example/w1+8d66cf3f+BAC… https://witness.example", separated by commas.`,
      );
    }
  });
}
