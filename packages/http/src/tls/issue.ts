// @peculiar/x509 needs the Reflect metadata functions.
import "reflect-metadata";
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const dayMs = 86_400_000;
// Backdates certificates, for clients whose clock is slow.
const backdatedMs = 3_600_000;
const authorityDays = 3650;
const serverDays = 397;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Generates an EC P-256 private key, as PKCS #8 PEM. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/**
 * Issues a CA certificate for a private key (PEM in, PEM out), valid for ten years. The name of the CA is derived from
 * the key, so that a reissued CA with the same key verifies the same servers.
 *
 * The CA has no name constraints, so that it stays valid when the server's hosts change.
 */
export async function issueAuthority(authorityKey: string, organization: string, nowMs: number): Promise<string> {
  const { signing, verifying, spki } = keysOf(authorityKey);
  const fingerprint = createHash("sha256").update(spki).digest("hex").slice(0, 8);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${organization} local CA ${fingerprint}, O=${organization}`,
    keys: { privateKey: signing, publicKey: verifying },
    signingAlgorithm: algorithm,
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(nowMs + authorityDays * dayMs),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(verifying),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

/**
 * Issues a server certificate (PEM) for host names and addresses, signed by a CA. Valid for 397 days, since browsers
 * accept at most 398, or until the CA expires.
 */
export async function issueServerCertificate(
  authority: { key: string; cert: string },
  serverKey: string,
  names: readonly string[],
  nowMs: number,
): Promise<string> {
  const root = new X509Certificate(authority.cert);
  const [organization = ""] = root.subjectName.getField("O");
  const { verifying } = keysOf(serverKey);
  const notBeforeMs = nowMs - backdatedMs;
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${organization} server, O=${organization}`,
    issuer: root.subjectName,
    publicKey: verifying,
    signingKey: keysOf(authority.key).signing,
    signingAlgorithm: algorithm,
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(Math.min(notBeforeMs + serverDays * dayMs, root.notAfter.getTime())),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? ("dns" as const) : ("ip" as const), value: name })),
      ),
      await SubjectKeyIdentifierExtension.create(verifying),
      await AuthorityKeyIdentifierExtension.create(keysOf(authority.key).verifying),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

function keysOf(privateKeyPem: string) {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKeyPem);
  return {
    signing: privateKey.toCryptoKey(algorithm, true, ["sign"]),
    verifying: publicKey.toCryptoKey(algorithm, true, ["verify"]),
    spki: publicKey.export({ type: "spki", format: "der" }),
  };
}
