import { readFile } from "node:fs/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { InvalidJws, verifyJws } from "@beatmarket/signing-keys/jws.ts";
import { keySet, type ListedKey, listKeys, rotateKey } from "@beatmarket/signing-keys/keys.ts";
import { hashFile } from "@beatmarket/storage/stored-objects.ts";
import type { Command } from "commander";
import { proofProblems } from "../resources/licenses/log/check-proof.ts";
import { type CertificateClaims, certificateType } from "../resources/licenses/queries.ts";
import { licenseLogCommands } from "./license-log.ts";
import { tableText, wholeSecondsUtc } from "./terminal/output.ts";
import { printResult, runCommand, withDatabase } from "./terminal/run.ts";

const fetchTimeoutMs = 10_000;
const maxCertificateBytes = 1_000_000;

/** `licenses keys list`, `licenses keys rotate`, `licenses verify`, and the commands of the log. */
export function licensesCommand(licenses: Command): void {
  const keys = licenses.command("keys").description("List and rotate the keys that sign certificates.");

  keys
    .command("list")
    .description("List all keys, newest first. The newest one signs; all of them verify.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const allKeys = await listKeys(query);
        printResult(
          options.json,
          allKeys.map(keyJson),
          allKeys.length === 0 ? "No keys yet: the first certificate creates the first key." : listText(allKeys),
        );
      }),
    );

  keys
    .command("rotate")
    .description("Sign with a new key from now on. Earlier certificates stay valid.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const box = await openSecretBox(config);
        await box.refresh(query);
        const kid = await rotateKey(query, box, new Date(systemClock.nowMs()));
        printResult(
          options.json,
          { kid },
          `New certificates are signed with the key ${kid}. The keys before it stay in /.well-known/jwks.json.`,
        );
      }),
    );

  licenseLogCommands(licenses);
  licenses
    .command("verify")
    .description("Check a certificate: its signature, its proof in the license log, and the delivered files.")
    .argument("<certificate>", "the JWS of a certificate, or a file with it")
    .argument("[files...]", "delivered files, each of which must be named in the certificate")
    .option(
      "--jwks <source>",
      "the keys: a file or URL such as https://beats.example.com/.well-known/jwks.json (default: those of this database)",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket licenses verify license.jws
  beatmarket licenses verify license.jws song.mp3 --jwks jwks.json

Exit status: 1 when the signature or the proof is invalid, or when the certificate does not name a file; otherwise 0. The
signature does not show later refunds, but the license's public page does (docs/licenses.md).`,
    )
    .action((certificate: string, files: string[], options: VerifyOptions) => {
      const check = async (jwks: JwkSet) => report(await verify(certificate, files, jwks), options);
      return options.jwks === undefined
        ? withDatabase(async ({ query }) => check(await keySet(query)))
        : runCommand(async () => check(await readJwks(options.jwks as string)));
    });
}

interface VerifyOptions {
  jwks?: string;
  json?: true;
}

interface JwkSet {
  keys: Parameters<typeof verifyJws>[1];
}

interface CheckedFile {
  file: string;
  sha256: string;
  /** The kind of the file; null if the certificate does not contain the file. */
  kind: string | null;
}

interface Verified {
  claims: CertificateClaims;
  files: CheckedFile[];
  /** The problems of the proof in the license log, as sentences; null for a certificate without a proof. */
  logProblems: string[] | null;
}

async function verify(certificate: string, files: readonly string[], { keys }: JwkSet): Promise<Verified> {
  const jws = (await readJws(certificate)).replace(/\s+/g, "");
  const claims = verifiedClaims(jws, keys);
  const checked: CheckedFile[] = [];
  for (const file of files) {
    const { sha256 } = await hashFile(file).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(`${file} cannot be read (${error.code}). Name a file of this machine.`);
    });
    checked.push({ file, sha256, kind: claims.files.find((file) => file.sha256 === sha256)?.kind ?? null });
  }
  return { claims, files: checked, logProblems: claims.log === undefined ? null : proofProblems(claims, claims.log) };
}

function verifiedClaims(jws: string, keys: JwkSet["keys"]): CertificateClaims {
  try {
    return verifyJws(jws, keys, certificateType) as CertificateClaims;
  } catch (error) {
    if (!(error instanceof InvalidJws)) throw error;
    throw new OperatorError(
      `The certificate is not valid. ${error.message} --jwks names the keys of the marketplace that issued it.`,
    );
  }
}

/** The text itself if it is a JWS, else the content of the file of this name. */
async function readJws(source: string): Promise<string> {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(source) && source.startsWith("ey")) return source;
  const bytes = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${source} is neither a JWS nor a file that can be read (${error.code}).`);
  });
  if (bytes.length > maxCertificateBytes)
    throw new OperatorError(
      `${source} has ${bytes.length} bytes, so it is not a JWS. Give the field license.jws of the order's files.`,
    );
  return bytes.toString("utf8");
}

async function readJwks(source: string): Promise<JwkSet> {
  const text = /^https?:\/\//.test(source)
    ? await fetchText(source)
    : await readFile(source, "utf8").catch((error) => {
        throw new OperatorError(`--jwks is ${source}, which cannot be read (${error.code}). Name a file or a URL.`);
      });
  try {
    const { keys } = JSON.parse(text);
    if (Array.isArray(keys)) return { keys };
  } catch {}
  throw new OperatorError(
    `--jwks is ${source}, which is not a key set. It takes a response of /.well-known/jwks.json.`,
  );
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (response.ok) return await response.text();
    throw new Error(`status ${response.status}`);
  } catch (error) {
    const { message, cause } = error as Error;
    throw new OperatorError(
      `--jwks is ${url}, which cannot be read: ${cause instanceof Error ? cause.message : message}. Save it to a file, and name the file.`,
    );
  }
}

function report({ claims, files, logProblems }: Verified, options: VerifyOptions): void {
  const json = { valid: true, claims, files, log_problems: logProblems };
  printResult(options.json, json, readable({ claims, files, logProblems }));
  if (files.some(({ kind }) => kind === null) || (logProblems ?? []).length > 0) process.exitCode = 1;
}

const readable = ({ claims, files, logProblems }: Verified): string =>
  [
    `The signature is valid. ${claims.iss} issued it on ${wholeSecondsUtc(new Date(claims.iat * 1000))}.`,
    `License ${claims.jti}: ${claims.license_type}, “${claims.beat.title}” by ${claims.producer.name}, order ${claims.order_id} of ${claims.purchased_at}.`,
    ...(logProblems?.length === 0
      ? [`The sale is leaf ${claims.log?.index} of ${claims.log?.size} in the log ${claims.log?.origin}.`]
      : (logProblems ?? [])),
    ...files.map(({ file, kind }) =>
      kind === null
        ? `${file} is none of the licensed files, or it was changed.`
        : `${file} is the licensed ${kind} file.`,
    ),
    `Refunded or not: ${claims.iss}/licenses/${claims.jti}`,
  ].join("\n");

const keyJson = ({ kid, createdAt, isCurrent }: ListedKey) => ({
  kid,
  created_at: wholeSecondsUtc(createdAt),
  signs: isCurrent,
});

const listText = (keys: readonly ListedKey[]): string =>
  tableText([
    ["KEY", "CREATED", "SIGNS"],
    ...keys.map(({ kid, createdAt, isCurrent }) => [kid, wholeSecondsUtc(createdAt) ?? "", isCurrent ? "yes" : ""]),
  ]);
