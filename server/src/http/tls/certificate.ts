import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { OperatorError } from "../../errors.ts";
import { isFileError, oneAtATime, readIfPresent, replaceFile } from "./certificate-folder.ts";
import { certificateNames, isMadeOutTo } from "./certificate-names.ts";

/** What a TLS server shows (PEM, its own certificate first) and proves to own. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface OwnCertificate extends Certificate {
  /** The file that clients are told to trust. */
  caFile: string;
}

interface Making {
  dir: string;
  /** Canonical, see certificateNames. */
  names: readonly string[];
  clock: Clock;
  log: { warn(message: string): void };
}

const renewBeforeMs = 30 * 86_400_000;

const filesIn = (dir: string) => ({
  ca: join(dir, "ca.pem"),
  caKey: join(dir, "ca-key.pem"),
  server: join(dir, "server.pem"),
  serverKey: join(dir, "server-key.pem"),
});

/**
 * The server certificate of our own local CA, both made in `DATA_DIR/tls` where they are missing: `ca.pem`,
 * `ca-key.pem`, `server.pem` (the chain), `server-key.pem`. It is made out to localhost, its addresses, this
 * machine's name and `hosts`; it is renewed when less than 30 days remain, when the names change or when a file is
 * damaged. The CA stays as long as its key can be read, so that clients need not change. Throws an OperatorError when
 * the folder cannot be read or written.
 */
export async function ownCertificate(
  dataDir: string,
  hosts: readonly string[],
  clock: Clock,
  log: Making["log"],
): Promise<OwnCertificate> {
  const making = { dir: join(dataDir, "tls"), names: certificateNames(hosts), clock, log };
  const usable = await readUsable(making);
  if (usable !== null) return usable;
  try {
    await mkdir(making.dir, { recursive: true });
    return await oneAtATime(join(making.dir, "lock"), async () => (await readUsable(making)) ?? make(making));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new OperatorError(
      `No certificate could be made in ${making.dir} (${error.code}). Make the folder writable, or set TLS_CERT and TLS_KEY.`,
    );
  }
}

async function readUsable({ dir, names, clock }: Making): Promise<OwnCertificate | null> {
  const files = filesIn(dir);
  const ca = parsed(await readIfPresent(files.ca));
  const cert = await readIfPresent(files.server);
  const server = parsed(cert);
  const key = await readIfPresent(files.serverKey);
  if (ca === null || cert === null || server === null || key === null) return null;
  const isUsable =
    isPair(key, server) &&
    cert === chainOf(server, ca) &&
    server.checkIssued(ca) &&
    server.verify(ca.publicKey) &&
    isCurrent(ca, clock) &&
    isCurrent(server, clock) &&
    isMadeOutTo(server, names);
  return isUsable ? { key, cert, caFile: files.ca } : null;
}

async function make({ dir, names, clock, log }: Making): Promise<OwnCertificate> {
  // Loaded only here, since most starts find a certificate that is still good.
  const { issueAuthority, issueServerCertificate, newPrivateKey } = await import("./issue.ts");
  const files = filesIn(dir);
  const keyIn = async (path: string): Promise<string> => {
    const present = await readIfPresent(path);
    if (present !== null && isPrivateKey(present)) return present;
    const key = newPrivateKey();
    await replaceFile(path, key, 0o600);
    return key;
  };

  const caText = await readIfPresent(files.ca);
  const caKey = await keyIn(files.caKey);
  let ca = parsed(caText);
  if (ca === null || !ca.ca || !isPair(caKey, ca) || !isCurrent(ca, clock)) {
    ca = new X509Certificate(await issueAuthority(caKey, clock.nowMs()));
    await replaceFile(files.ca, ca.toString(), 0o644);
    if (caText !== null)
      log.warn(`The local CA in ${dir} was damaged or about to expire and was made anew. Give clients the new ca.pem.`);
  }

  // The key outlives its certificates: wherever a renewal is cut off, what it leaves behind still fits together.
  const key = await keyIn(files.serverKey);
  const authority = { key: caKey, cert: ca.toString() };
  const server = new X509Certificate(await issueServerCertificate(authority, key, names, clock.nowMs()));
  const cert = chainOf(server, ca);
  await replaceFile(files.server, cert, 0o644);
  return { key, cert, caFile: files.ca };
}

const chainOf = (server: X509Certificate, ca: X509Certificate): string => server.toString() + ca.toString();

const isCurrent = (certificate: X509Certificate, clock: Clock): boolean =>
  certificate.validFromDate.getTime() <= clock.nowMs() &&
  certificate.validToDate.getTime() - clock.nowMs() >= renewBeforeMs;

function parsed(pem: string | null): X509Certificate | null {
  try {
    return pem === null ? null : new X509Certificate(pem);
  } catch {
    return null;
  }
}

function isPair(key: string, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
