import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { isFileError, readIfPresent, replaceFile, withLockFile } from "./certificate-folder.ts";
import { certificateNames, isIssuedFor } from "./certificate-names.ts";

/** A certificate chain (PEM, leaf first) and the private key of the leaf. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface OwnCertificate extends Certificate {
  /** Path of the CA certificate that clients must trust. */
  caFile: string;
}

interface IssueRequest {
  dir: string;
  /** Part of the certificates' subject names. */
  organization: string;
  /** In canonical form, from `certificateNames`. */
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
 * Returns a server certificate of a local CA. Creates missing files in `DATA_DIR/tls`: `ca.pem`, `ca-key.pem`,
 * `server.pem` (the chain), `server-key.pem`. The names are localhost, the loopback addresses, the host name and
 * `hosts`. Issues a new certificate if less than 30 days remain, the names change or a file is damaged. Reuses the CA's
 * key as long as it is readable, so that clients still trust the CA. Throws an OperatorError if the folder cannot be
 * read or written.
 */
export async function ownCertificate(
  { dataDir, organization, hosts }: { dataDir: string; organization: string; hosts: readonly string[] },
  clock: Clock,
  log: IssueRequest["log"],
): Promise<OwnCertificate> {
  const request = { dir: join(dataDir, "tls"), organization, names: certificateNames(hosts), clock, log };
  const usable = await readUsable(request);
  if (usable !== null) return usable;
  try {
    await mkdir(request.dir, { recursive: true });
    return await withLockFile(join(request.dir, "lock"), async () => (await readUsable(request)) ?? issue(request));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new OperatorError(
      `No certificate could be made in ${request.dir} (${error.code}). Make the folder writable, or set TLS_CERT and TLS_KEY.`,
    );
  }
}

async function readUsable({ dir, names, clock }: IssueRequest): Promise<OwnCertificate | null> {
  const files = filesIn(dir);
  const ca = parseCertificate(await readIfPresent(files.ca));
  const cert = await readIfPresent(files.server);
  const server = parseCertificate(cert);
  const key = await readIfPresent(files.serverKey);
  if (ca === null || cert === null || server === null || key === null) return null;
  const isUsable =
    isPair(key, server) &&
    cert === chainOf(server, ca) &&
    server.checkIssued(ca) &&
    server.verify(ca.publicKey) &&
    isCurrent(ca, clock) &&
    isCurrent(server, clock) &&
    isIssuedFor(server, names);
  return isUsable ? { key, cert, caFile: files.ca } : null;
}

async function issue({ dir, organization, names, clock, log }: IssueRequest): Promise<OwnCertificate> {
  // Loaded on demand, since most starts need no new certificate.
  const { issueAuthority, issueServerCertificate, newPrivateKey } = await import("./issue.ts");
  const files = filesIn(dir);
  const readOrCreateKey = async (path: string): Promise<string> => {
    const existing = await readIfPresent(path);
    if (existing !== null && isPrivateKey(existing)) return existing;
    const key = newPrivateKey();
    await replaceFile(path, key, 0o600);
    return key;
  };

  const caText = await readIfPresent(files.ca);
  const caKey = await readOrCreateKey(files.caKey);
  let ca = parseCertificate(caText);
  if (ca === null || !ca.ca || !isPair(caKey, ca) || !isCurrent(ca, clock)) {
    ca = new X509Certificate(await issueAuthority(caKey, organization, clock.nowMs()));
    await replaceFile(files.ca, ca.toString(), 0o644);
    if (caText !== null)
      log.warn(`The local CA in ${dir} was damaged or about to expire, and was replaced. Give clients the new ca.pem.`);
  }

  // Reuses the key, so that the files still match after an interrupted renewal.
  const key = await readOrCreateKey(files.serverKey);
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

function parseCertificate(pem: string | null): X509Certificate | null {
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
