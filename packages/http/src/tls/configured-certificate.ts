import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Certificate } from "./certificate.ts";

/** Reads TLS_CERT and TLS_KEY. Throws an OperatorError that names the file and its defect. */
export async function readCertificate(certFile: string, keyFile: string, clock: Clock): Promise<Certificate> {
  const cert = await readPem("TLS_CERT", certFile, "CERTIFICATE");
  const key = await readPem("TLS_KEY", keyFile, "PRIVATE KEY");
  const certificate = parseCertificate(certFile, cert);
  if (!certificate.checkPrivateKey(parseKey(keyFile, key)))
    throw new OperatorError(
      `TLS_KEY (${keyFile}) is not the key of the first certificate in TLS_CERT (${certFile}). A chain begins with the server's own certificate.`,
    );
  if (certificate.validToDate.getTime() <= clock.nowMs())
    throw new OperatorError(`TLS_CERT (${certFile}) expired on ${day(certificate.validToDate)}; renew it.`);
  if (certificate.validFromDate.getTime() > clock.nowMs())
    throw new OperatorError(`TLS_CERT (${certFile}) is valid only from ${day(certificate.validFromDate)} on.`);
  requireAcceptable(certFile, { key, cert });
  return { key, cert };
}

async function readPem(variable: string, path: string, label: string): Promise<string> {
  const text = await readFile(path, "latin1").catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "does not exist" : `cannot be read (${error.code})`;
    throw new OperatorError(`${variable} names ${path}, which ${reason}.`);
  });
  if (!text.matchAll(/-----BEGIN ([A-Z ]*)-----/g).some(([, value]) => value?.endsWith(label)))
    throw new OperatorError(`${variable} (${path}) holds no "-----BEGIN ${label}-----"; it takes a PEM file.`);
  return text;
}

function parseCertificate(path: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new OperatorError(`TLS_CERT (${path}) is damaged: the certificate in it cannot be parsed.`);
  }
}

function parseKey(path: string, pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem))
    throw new OperatorError(
      `TLS_KEY (${path}) is encrypted; write it without a passphrase: openssl pkey -in … -out ….`,
    );
  try {
    return createPrivateKey(pem);
  } catch {
    throw new OperatorError(`TLS_KEY (${path}) is damaged: the private key in it cannot be parsed.`);
  }
}

/** Lets OpenSSL check the rest of the chain, and the strength of keys and digests. */
function requireAcceptable(certFile: string, certificate: Certificate): void {
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new OperatorError(`TLS_CERT (${certFile}) is refused by OpenSSL: ${(error as Error).message}.`);
  }
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
