import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";
import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";
import { caFilePath } from "@beatmarket/http/tls/ca-file.ts";
import { locksDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import { type Config, readConfig } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import { type OpenedDatabase, openDatabase } from "../../database/open.ts";

/** Runs a command's work. Prints an error, without a stack for the operator's own mistakes, and sets exit status 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`error: ${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

interface CommandDatabaseOptions {
  /** Whether the command may create a database where none exists. */
  makesDatabase?: boolean;
}

/**
 * Runs a command's work with an open, migrated database, which a server may be using at the same time. Refuses a data
 * folder without a database, such as a mistyped one, unless the command may create it.
 */
export const withDatabase = (
  work: (database: Database, config: Config) => Promise<void>,
  options: CommandDatabaseOptions = {},
): Promise<void> =>
  withOpenedDatabase(async (database, config) => {
    await database.migrate();
    await work(database, config);
  }, options);

/** Like `withDatabase`, without migrating the schema. */
export const withOpenedDatabase = (
  work: (database: OpenedDatabase, config: Config) => Promise<void>,
  { makesDatabase = false }: CommandDatabaseOptions = {},
): Promise<void> =>
  runCommand(async () => {
    const config = withServerAddress(readConfig(process.env));
    // Standard output belongs to the command's result.
    const database = await openDatabase(config, {
      log: (text) => process.stderr.write(`${text}\n`),
      mustExist: !makesDatabase,
    });
    try {
      await work(database, config);
    } finally {
      await database.close();
    }
  });

/** Prints a command's result as one line of JSON or as text. */
export function printResult(json: boolean | undefined, value: unknown, readable: string): void {
  process.stdout.write(json === true ? `${JSON.stringify(value)}\n` : `${readable}\n`);
}

/** Prints a text piece by piece. A reader that closes the pipe, such as `head`, ends it early. */
export async function printStream(text: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch((error) => {
    if (error.code !== "EPIPE") throw error;
  });
}

function sentence(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof ApiError) return error.details;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Under npm a Ctrl-C arrives twice: from the terminal and from npm. */
const echoMs = 3_000;

let firstSignal: Promise<void> | undefined;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP of this process. A signal more than `echoMs` later exits at once. */
export const stopSignal = (): Promise<void> => (firstSignal ??= waitForSignal());

const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        firstMs ??= performance.now();
        if (performance.now() - firstMs > echoMs) process.exit(1);
        resolve();
      });
  });

/** Asks before an irreversible action. Throws an OperatorError unless `yes` is true or the operator answers yes. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY) throw new OperatorError(`${question} Add --yes; nothing was changed.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.once("close", () => resolve(""));
    void terminal.question(`${question} [y/N] `).then(resolve, () => resolve(""));
  });
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError("Nothing was changed.");
}

/** A curl command that calls the server from this machine. `path` is relative to the base address. */
export function curlLine(config: Config, key: string, path: string): string {
  const isLocal = /^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(config.host);
  const host = isLocal ? "localhost" : config.host.includes(":") ? `[${config.host}]` : config.host;
  const words = ["curl"];
  if (config.tls.mode === "own") words.push("--cacert", shellWord(caFilePath(config.dataDir)));
  if (config.tls.mode === "off") words.push("-H", shellWord("X-Forwarded-Proto: https"));
  words.push("-H", shellWord(`Authorization: Bearer ${key}`));
  words.push(shellWord(`${config.tls.mode === "off" ? "http" : "https"}://${host}:${config.port}/v1${path}`));
  return words.join(" ");
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

/** The configuration with the address of the server that runs on the data folder; unchanged if no server runs. */
export const withServerAddress = (config: Config): Config => ({ ...config, ...runningServer(config.dataDir) });

/** The address of the server that runs on the data folder; null if no server runs. */
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
 * The lines that explain the browser's warning about a certificate of this machine's own CA: its text, how to continue,
 * and how to trust the CA permanently (docs/operating.md, The browser's warning). Plain HTTP is no alternative, because
 * the API refuses it.
 */
export const browserWarning = (own: OwnCertificate): string[] => [
  "Before the first page your browser warns that the connection is not private. That is expected: this machine made the",
  "certificate, and the browser does not know it. The connection is encrypted all the same.",
  "  to continue once:  choose Advanced, then continue to this site",
  `  to trust it:       ${trustCommand(own)}`,
  "                     then restart the browser; other systems and Firefox: docs/operating.md, The browser's warning",
];

function trustCommand({ caFile, platform, release }: OwnCertificate): string {
  const file = shellWord(caFile);
  if (platform === "darwin")
    return `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}`;
  // Within WSL, Windows opens the browser.
  if (/microsoft/i.test(release)) return `certutil.exe -user -addstore Root ${file}`;
  return `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n beatmarket -i ${file}`;
}
