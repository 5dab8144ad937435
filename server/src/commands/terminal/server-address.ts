import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";
import { caFilePath } from "@beatmarket/http/tls/ca-file.ts";
import { locksDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { Config } from "../../config.ts";

/** A curl command that calls the server from this machine. `path` is relative to the base address. */
export function curlLine(config: Config, key: string, path: string): string {
  const host = urlHost(config.host);
  const words = ["curl"];
  if (config.tls.mode === "own") words.push("--cacert", shellWord(caFilePath(config.dataDir)));
  if (config.tls.mode === "off") words.push("-H", shellWord("X-Forwarded-Proto: https"));
  words.push("-H", shellWord(`Authorization: Bearer ${key}`));
  words.push(shellWord(`${config.tls.mode === "off" ? "http" : "https"}://${host}:${config.port}/v1${path}`));
  return words.join(" ");
}

/** The host of a URL that reaches a server on this machine which listens on `host`. */
function urlHost(host: string): string {
  if (/^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

type Address = Pick<Config, "port" | "host" | "publicUrl" | "tls">;

const addressFile = (dataDir: string): string => join(dataDir, locksDir, "server.json");

/**
 * Records the address of the server of `dataDir`, so that commands on the same folder know it. Returns a function that
 * removes the record.
 */
export async function recordAddress(config: Config): Promise<() => Promise<void>> {
  const { port, host, publicUrl, tls } = config;
  const file = addressFile(config.dataDir);
  await rm(file, { force: true }); // A file of root can be removed here, but not written.
  await writeFile(file, `${JSON.stringify({ pid: process.pid, port, host, publicUrl, tls })}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** The configuration with the address of the server that runs on the data folder; unchanged if none runs. */
export const withServerAddress = (config: Config): Config => ({ ...config, ...runningServer(config.dataDir) });

/** The address of the server that runs on the data folder; null if none runs. */
export function runningServer(dataDir: string): Address | null {
  try {
    const { pid, ...address } = JSON.parse(readFileSync(addressFile(dataDir), "utf8")) as Address & { pid: number };
    return isRunning(pid) ? address : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export interface OwnCertificate {
  /** The certificate of the CA, as a path for this machine. */
  caFile: string;
  /** The platform, like `process.platform`. */
  platform: string;
  /** The release, like `os.release()`. It identifies a Linux within Windows (WSL). */
  release: string;
}

/**
 * The lines that explain the browser's warning about a self-signed certificate: its text, how to continue, and how to
 * trust the CA permanently (docs/operating.md, The browser's warning). Plain HTTP is no alternative, because the API
 * refuses it.
 */
export const browserWarning = (certificate: OwnCertificate): string[] => [
  "Before the first page your browser warns that the connection is not private. That is expected: this machine made the",
  "certificate, and the browser does not know it. The connection is encrypted all the same.",
  "  to continue once:  choose Advanced, then continue to this site",
  `  to trust it:       ${trustCommand(certificate)}`,
  "                     then restart the browser; other systems and Firefox: docs/operating.md, The browser's warning",
];

function trustCommand({ caFile, platform, release }: OwnCertificate): string {
  const file = shellWord(caFile);
  if (platform === "darwin")
    return `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}`;
  // WSL: the browser is that of Windows.
  if (/microsoft/i.test(release)) return `certutil.exe -user -addstore Root ${file}`;
  return `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n beatmarket -i ${file}`;
}
