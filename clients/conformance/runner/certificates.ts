// @peculiar/x509 needs the Reflect metadata functions.
import "reflect-metadata";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { SubjectAlternativeNameExtension, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";

/** A certificate and its private key, both PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

const dayMs = 86_400_000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * Creates a server certificate for these DNS names, signed by the authority. It expires in `days` days; a negative
 * number of days creates an expired one.
 */
export async function certify(authority: Certificate, names: readonly string[], days: number): Promise<Certificate> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: algorithm.namedCurve });
  const endMs = Date.now() + days * dayMs;
  const certificate = await X509CertificateGenerator.create({
    subject: "CN=Beat Marketplace conformance",
    issuer: new X509Certificate(authority.cert).subjectName,
    publicKey: publicKey.toCryptoKey(algorithm, true, ["verify"]),
    signingKey: createPrivateKey(authority.key).toCryptoKey(algorithm, true, ["sign"]),
    signingAlgorithm: algorithm,
    notBefore: new Date(Math.min(Date.now(), endMs) - dayMs),
    notAfter: new Date(endMs),
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns", value })))],
  });
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: certificate.toString("pem"),
  };
}
