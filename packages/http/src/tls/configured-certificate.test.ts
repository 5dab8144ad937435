import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCertificate } from "./configured-certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "./issue.ts";

const startMs = Date.parse("2026-03-01T12:00:00Z");
const clockAt = (nowMs: number) => ({ nowMs: () => nowMs, monotonicMs: () => nowMs });
const clock = clockAt(startMs);

let dir = "";
let certFile = "";
let keyFile = "";
let cert = "";
let ca = "";
const key = newPrivateKey();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "beatmarket-configured-"));
  const caKey = newPrivateKey();
  ca = await issueAuthority(caKey, "Beats", startMs);
  cert = await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], startMs);
  certFile = await file("cert.pem", cert + ca);
  keyFile = await file("key.pem", key);
});
afterAll(() => rm(dir, { recursive: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
}

const refusal = async (files: { cert?: string; key?: string }, now = clock): Promise<string> => {
  const reading = readCertificate(files.cert ?? certFile, files.key ?? keyFile, now);
  const error = await reading.then(
    () => new Error("accepted"),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return error.message;
};

test("a chain and its key are read unchanged", async () => {
  expect(await readCertificate(certFile, keyFile, clock)).toEqual({ key, cert: cert + ca });
});

test("the older form of an EC key, with the parameters first, is accepted", async () => {
  const sec1 = createPrivateKey(key).export({ type: "sec1", format: "pem" }).toString();
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const path = await file("sec1.pem", parameters + sec1);
  expect((await readCertificate(certFile, path, clock)).key).toBe(parameters + sec1);
});

test("the error for a missing file names its variable", async () => {
  const missing = join(dir, "missing.pem");
  expect(await refusal({ cert: missing })).toBe(`TLS_CERT names ${missing}, which does not exist.`);
  expect(await refusal({ key: missing })).toBe(`TLS_KEY names ${missing}, which does not exist.`);
});

test("a folder is rejected", async () => {
  expect(await refusal({ cert: dir })).toBe(`TLS_CERT names ${dir}, which cannot be read (EISDIR).`);
});

test("DER, plain text or the wrong PEM file is rejected", async () => {
  const der = await file("cert.der", new X509Certificate(cert).raw);
  expect(await refusal({ cert: der })).toContain('holds no "-----BEGIN CERTIFICATE-----"');
  expect(await refusal({ cert: keyFile })).toContain('holds no "-----BEGIN CERTIFICATE-----"');
  expect(await refusal({ key: certFile })).toContain('holds no "-----BEGIN PRIVATE KEY-----"');
});

test("damaged PEM is reported as damaged", async () => {
  const halfCert = await file("half-cert.pem", cert.slice(0, cert.length / 2));
  const halfKey = await file("half-key.pem", key.slice(0, key.length / 2));
  expect(await refusal({ cert: halfCert })).toContain(`TLS_CERT (${halfCert}) is damaged`);
  expect(await refusal({ key: halfKey })).toContain(`TLS_KEY (${halfKey}) is damaged`);
});

test("a chain with damage after its first certificate is rejected", async () => {
  const path = await file("half-chain.pem", cert + ca.replace(/\n./, "\n*"));
  expect(await refusal({ cert: path })).toContain(`TLS_CERT (${path}) is refused by OpenSSL`);
});

test("a key with a passphrase is rejected with instructions", async () => {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" },
  });
  expect(await refusal({ key: await file("encrypted.pem", privateKey) })).toMatch(/is encrypted.*without a passphrase/);
});

test("a key of another certificate and a chain in the wrong order are reported", async () => {
  const other = await file("other.pem", newPrivateKey());
  expect(await refusal({ key: other })).toContain(`TLS_KEY (${other}) is not the key of the first certificate`);
  const reversed = await file("reversed.pem", ca + cert);
  expect(await refusal({ cert: reversed })).toContain("begins with the server's own certificate");
});

test("an expired certificate and a certificate that is not yet valid are rejected with the date", async () => {
  expect(await refusal({}, clockAt(Date.parse("2030-01-01T00:00:00Z")))).toContain("expired on 2027-04-02; renew it");
  expect(await refusal({}, clockAt(Date.parse("2026-02-01T00:00:00Z")))).toContain("is valid only from 2026-03-01 on");
});
