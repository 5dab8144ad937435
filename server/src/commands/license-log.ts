import { createPublicKey } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import type { ReadFile } from "@beatmarket/transparency-log/log-reader.ts";
import { parseVerifierKey, verifierKey } from "@beatmarket/transparency-log/note.ts";
import { openSigningKey } from "@beatmarket/transparency-log/signing-key-file.ts";
import type { StoredCheckpoint } from "@beatmarket/transparency-log/witness-server.ts";
import { listenAsWitness } from "@beatmarket/transparency-log/witness-server.ts";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { auditLog, type PublishedLicense, witnessLog } from "../resources/licenses/log/audit.ts";
import { printResult, runCommand } from "./terminal/run.ts";

const fetchTimeoutMs = 30_000;

/** The marketplace does not respond, or its response (429 or 5xx) invites another attempt later. */
class UnreachableLog extends OperatorError {}

interface LogOptions {
  key?: string;
  keep?: string;
  license?: string[];
  witness?: string[];
  json?: true;
}

interface WitnessOptions {
  keep: string;
  key?: string;
  every?: string;
  listen?: string;
  host: string;
  signingKey?: string;
  name?: string;
  json?: true;
}

/** `licenses audit` and `licenses witness`: read only the public files of a log, which may be another marketplace's. */
export function licenseLogCommands(licenses: Command): void {
  licenses
    .command("audit")
    .description(
      "Check a license log from its public files: signature, tree, rules, and the checkpoint of the last audit.",
    )
    .argument("[url]", "the marketplace, or a folder with the log's files (default: PUBLIC_URL)")
    .option(
      "--keep <file>",
      "compare with the checkpoint in this file, and store the new one there if nothing is wrong",
    )
    .option("--key <key>", "the log's verifier key; without it, the one that is kept, or else that of the marketplace")
    .option(
      "--witness <key...>",
      "also check that these witnesses have cosigned the checkpoint, by their verifier keys",
    )
    .option("--license <id...>", "also check that these licenses are in the log with the terms that their pages show")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket licenses audit https://beats.example.com --keep beats.json
  beatmarket licenses audit https://beats.example.com --license 0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921

Exit status: 1 with a problem, which a line of the output describes; otherwise 0 (docs/license-log.md).`,
    )
    .action((url: string | undefined, options: LogOptions) =>
      runCommand(async () => {
        const place = url ?? readConfig(process.env).publicUrl;
        const stored = await readCheckpoint(options.keep);
        const readLog = logOf(place);
        const key = options.key ?? stored?.key ?? (await keyOf(readLog, place));
        const licenses = await Promise.all((options.license ?? []).map((id) => licenseOf(place, id)));
        const witnesses = options.witness ?? [];
        const { storedCheckpoint: next, ...report } = await auditLog(readLog, {
          key,
          storedCheckpoint: stored,
          licenses,
          witnesses,
        });
        if (next !== null && options.keep !== undefined) await writeCheckpoint(options.keep, next);
        const { size, sold, lost, problems } = report;
        const lines = [
          `${place}: ${size} leaves, ${sold} of them licenses.`,
          ...(lost === 0
            ? []
            : [`${lost} leaves were lost when the marketplace restored its database, as the log says.`]),
          ...(problems.length === 0 ? ["Nothing is wrong."] : problems),
        ];
        printResult(options.json, report, lines.join("\n"));
        if (problems.length > 0) process.exitCode = 1;
      }),
    );

  licenses
    .command("witness")
    .description(
      "Store the checkpoints of a license log on this machine, and stop when one does not continue from the last.",
    )
    .argument("<url>", "the marketplace, or a folder with the log's files")
    .requiredOption("--keep <file>", "the file that stores the last checkpoint")
    .option("--key <key>", "the log's verifier key; without it, the one that is kept, or else that of the marketplace")
    .option("--every <seconds>", "the interval of the checks (default: check once)")
    .option("--listen <port>", "instead, cosign the checkpoints that the log sends to this port (C2SP tlog-witness)")
    .option("--host <address>", "the address on which --listen listens", "127.0.0.1")
    .option("--signing-key <file>", "the key that cosigns, which is created if the file does not exist")
    .option("--name <name>", "the name of the witness, for a new key")
    .option("--json", "print JSON lines")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket licenses witness https://beats.example.com --keep beats.json --every 60
  beatmarket licenses witness https://beats.example.com --keep beats.json --listen 8090 --signing-key witness.key --name witness.example/w1

docs/license-log.md explains witnesses.`,
    )
    .action((place: string, options: WitnessOptions) =>
      runCommand(() => (options.listen === undefined ? witness(place, options) : cosigner(place, options))),
    );
}

/** Cosigns until the process is stopped. */
async function cosigner(place: string, options: WitnessOptions): Promise<void> {
  const { keep, listen, host, signingKey, name, key, json } = options;
  if (signingKey === undefined)
    throw new OperatorError("--listen needs --signing-key, the file of the key that cosigns.");
  const port = Number(listen);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new OperatorError("--listen takes a port.");
  const signer = await openSigningKey(signingKey, name);
  const log = parseVerifierKey(key ?? (await readCheckpoint(keep))?.key ?? (await keyOf(logOf(place), place)));
  const server = await listenAsWitness({
    log,
    signer,
    port,
    host,
    readCheckpoint: () => readCheckpoint(keep),
    keep: (next) => writeCheckpoint(keep, next),
  });
  const verifier = verifierKey({ name: signer.name, publicKey: createPublicKey(signer.privateKey) }, "cosignature");
  const facts = { log: log.name, port: server.port, verifier };
  printResult(json, facts, `Cosigning ${log.name} on http://${host}:${server.port}; the verifier key is\n${verifier}`);
  await server.ended;
}

async function witness(place: string, options: WitnessOptions): Promise<void> {
  const { every } = options;
  const seconds = every === undefined ? null : Number(every);
  if (seconds !== null && !(seconds >= 1)) throw new OperatorError("--every takes a number of seconds, at least 1.");
  for (;;) {
    try {
      await keepCheckpoint(place, options);
    } catch (error) {
      // A marketplace that restarts must not end the watch. Before the first checkpoint, the address may be wrong.
      const isWatching = seconds !== null && (await readCheckpoint(options.keep)) !== null;
      if (!isWatching || !(error instanceof UnreachableLog)) throw error;
      process.stderr.write(`${error.message} Trying again in ${counted(seconds, "second")}.\n`);
    }
    if (seconds === null) return;
    await sleep(seconds * 1_000);
  }
}

/** Stores the present checkpoint if it continues the stored one. Throws an OperatorError otherwise. */
async function keepCheckpoint(place: string, { keep, key, json }: WitnessOptions): Promise<void> {
  const readLog = logOf(place);
  const stored = await readCheckpoint(keep);
  const verifierKey = key ?? stored?.key ?? (await keyOf(readLog, place));
  const { size, ...next } = await witnessLog(readLog, verifierKey, stored).catch((error: Error) => {
    throw error instanceof OperatorError ? error : new OperatorError(error.message, { cause: error });
  });
  if (next.checkpoint === stored?.checkpoint) return;
  await writeCheckpoint(keep, next);
  printResult(json, { log: place, leaves: size, file: keep }, `${place}: ${size} leaves are stored in ${keep}.`);
}

/** Writes a checkpoint atomically: a killed process leaves either the old checkpoint or the new one. */
async function writeCheckpoint(file: string, checkpoint: StoredCheckpoint): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(checkpoint)}\n`, { flush: true });
  await rename(`${file}.new`, file);
}

const withoutSlash = (place: string): string => (place.endsWith("/") ? place.slice(0, -1) : place);

const isUrl = (place: string): boolean => /^https?:\/\//.test(place);

const logOf = (place: string): ReadFile =>
  isUrl(place)
    ? (path) => fetched(`${withoutSlash(place)}/licenses/log/${path}`)
    : (path) =>
        readFile(join(place, path)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return null;
          throw new OperatorError(`${join(place, path)} cannot be read (${error.code}).`);
        });

async function fetched(url: string, headers: Record<string, string> = {}): Promise<Buffer | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(fetchTimeoutMs) });
    const { status, ok } = response;
    if (status === 404) return null;
    if (ok) return Buffer.from(await response.arrayBuffer());
    const isTemporary = status === 429 || status >= 500;
    const Kind = isTemporary ? UnreachableLog : OperatorError;
    throw new Kind(`${url} cannot be read: status ${status}.`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { message, cause } = error as Error;
    throw new UnreachableLog(`${url} cannot be read: ${cause instanceof Error ? cause.message : message}.`);
  }
}

async function keyOf(readLog: ReadFile, place: string): Promise<string> {
  const key = await readLog("key");
  if (key === null)
    throw new OperatorError(
      `${place} has no license log: it has no verifier key. If it is a copy of a log, give the key with --key.`,
    );
  return key.toString().trim();
}

async function licenseOf(place: string, id: string): Promise<PublishedLicense> {
  if (!isUrl(place)) throw new OperatorError("--license needs the URL of a marketplace, whose page shows the license.");
  const url = `${withoutSlash(place)}/licenses/${encodeURIComponent(id)}`;
  const page = await fetched(url, { accept: "application/json" });
  if (page === null) throw new OperatorError(`${place} has no license ${id}.`);
  return JSON.parse(page.toString()).data.license;
}

async function readCheckpoint(file: string | undefined): Promise<StoredCheckpoint | null> {
  if (file === undefined) return null;
  try {
    const { key, checkpoint } = JSON.parse(await readFile(file, "utf8"));
    if (typeof key === "string" && typeof checkpoint === "string") return { key, checkpoint };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  }
  throw new OperatorError(
    `${file} does not contain a checkpoint. Name another file, or move this one away to start over.`,
  );
}
