import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { type Certificate, ownCertificate } from "./certificate.ts";
import { tlsOptions } from "./options.ts";

const dayMs = 86_400_000;
const startMs = Date.parse("2026-03-01T12:00:00Z");
const run = promisify(execFile);
const folders: string[] = [];
const log = { warn: vi.fn() };

const clockAt = (nowMs: number) => ({ nowMs: () => nowMs, monotonicMs: () => nowMs });
const clock = clockAt(startMs);

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "beatmarket-tls-"));
  folders.push(dataDir);
  log.warn.mockClear();
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const fileText = (name: string) => readFile(join(dataDir, "tls", name), "utf8");

/** Connects as a client that trusts only `ca`. Returns "trusted", or the code of the error. */
async function handshake(certificate: Certificate, ca: string, servername = "localhost"): Promise<string> {
  const server = createServer(tlsOptions(certificate)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, ca, servername }, () => {
        resolve("trusted");
        socket.end();
      });
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  } finally {
    server.close();
  }
}

test("a first start creates a CA and a server certificate that clients trust with only the CA file", async () => {
  // Uses real time, since the TLS client uses the system clock.
  const now = { nowMs: () => Date.now(), monotonicMs: () => 0 };
  const certificate = await ownCertificate(
    { dataDir, organization: "Beats", hosts: ["0.0.0.0", "API.Example.com", "[2001:db8::1]"] },
    now,
    log,
  );
  expect(certificate.caFile).toBe(join(dataDir, "tls", "ca.pem"));
  const ca = await readFile(certificate.caFile, "utf8");
  for (const name of ["localhost", "api.example.com"]) expect(await handshake(certificate, ca, name)).toBe("trusted");
  expect(await handshake(certificate, ca, "elsewhere.example")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");

  const server = new X509Certificate(certificate.cert);
  for (const address of ["127.0.0.1", "::1", "2001:db8::1"]) expect(server.checkIP(address)).toBe(address);
  expect(server.checkHost(hostname().toLowerCase())).toBeDefined();
  expect(server.checkIP("0.0.0.0")).toBeUndefined();
  expect(log.warn).not.toHaveBeenCalled();
});

test("the folder has two certificates and two keys, and only the owner can read the keys", async () => {
  await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  expect((await readdir(join(dataDir, "tls"))).sort()).toEqual([
    "ca-key.pem",
    "ca.pem",
    "server-key.pem",
    "server.pem",
  ]);
  for (const name of ["ca-key.pem", "server-key.pem"])
    expect((await stat(join(dataDir, "tls", name))).mode & 0o777).toBe(0o600);
});

test("the certificate is valid for 397 days and the CA for ten years", async () => {
  const certificate = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  const days = (pem: string) => {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return (validToDate.getTime() - validFromDate.getTime()) / dayMs;
  };
  expect(days(certificate.cert)).toBe(397);
  expect(days(await fileText("ca.pem"))).toBeCloseTo(3650, 0);
});

test("a valid certificate is reused", async () => {
  const first = await ownCertificate({ dataDir, organization: "Beats", hosts: ["a.example"] }, clock, log);
  const second = await ownCertificate(
    { dataDir, organization: "Beats", hosts: ["a.example", "A.example", "::"] },
    clockAt(startMs + 366 * dayMs),
    log,
  );
  expect(second).toEqual(first);
});

test("a certificate is renewed under the same CA less than 30 days before its expiry", async () => {
  const first = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  const ca = await fileText("ca.pem");
  const second = await ownCertificate(
    { dataDir, organization: "Beats", hosts: [] },
    clockAt(startMs + 368 * dayMs),
    log,
  );
  expect(second.cert).not.toBe(first.cert);
  expect(new X509Certificate(second.cert).validToDate.getTime()).toBeGreaterThan(startMs + 700 * dayMs);
  expect(await fileText("ca.pem")).toBe(ca);
  expect(log.warn).not.toHaveBeenCalled();
});

test.each([
  ["an additional host", ["a.example"], ["a.example", "b.example"]],
  ["a removed host", ["a.example", "b.example"], ["a.example"]],
  ["another address", ["192.0.2.1"], ["192.0.2.2"]],
])("the certificate is reissued under the same CA for %s", async (_, before, after) => {
  const first = await ownCertificate({ dataDir, organization: "Beats", hosts: before }, clock, log);
  const ca = await fileText("ca.pem");
  const second = await ownCertificate({ dataDir, organization: "Beats", hosts: after }, clock, log);
  expect(second.cert).not.toBe(first.cert);
  const nameCount = (pem: string) => new X509Certificate(pem).subjectAltName?.split(", ").length ?? 0;
  expect(nameCount(second.cert) - nameCount(first.cert)).toBe(after.length - before.length);
  expect(await fileText("ca.pem")).toBe(ca);
});

test("a CA about to expire is replaced with a warning", async () => {
  await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  const later = startMs + 3630 * dayMs;
  const certificate = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clockAt(later), log);
  const ca = new X509Certificate(await fileText("ca.pem"));
  expect(ca.validToDate.getTime()).toBeGreaterThan(later + 3000 * dayMs);
  expect(new X509Certificate(certificate.cert).verify(ca.publicKey)).toBe(true);
  expect(log.warn).toHaveBeenCalledOnce();
});

const damages: [string, (text: string) => string | null][] = [
  ["missing", () => null],
  ["empty", () => ""],
  ["half-written", (text) => text.slice(0, text.length / 2)],
  ["garbage", () => "\u0000\u0001 not PEM"],
];
const cases = ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"].flatMap((name) =>
  damages.map(([damage, apply]) => [name, damage, apply] as const),
);
test.each(cases)("%s is repaired if it is %s", async (name, _, apply) => {
  const now = { nowMs: () => Date.now(), monotonicMs: () => 0 };
  await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, now, log);
  const trusted = await fileText("ca.pem");
  const path = join(dataDir, "tls", name);
  const damaged = apply(await readFile(path, "utf8"));
  await (damaged === null ? rm(path) : writeFile(path, damaged));

  const certificate = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, now, log);
  // Clients that trust the old ca.pem keep working.
  expect(await handshake(certificate, trusted)).toBe("trusted");
  expect(await handshake(certificate, await fileText("ca.pem"))).toBe("trusted");
  expect(certificate.cert).toBe(await fileText("server.pem"));
  expect(certificate.key).toBe(await fileText("server-key.pem"));
  expect(await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, now, log)).toEqual(certificate);
});

test("a CA whose key is lost is replaced at the next renewal, with a warning", async () => {
  await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  const before = await fileText("ca.pem");
  await rm(join(dataDir, "tls", "ca-key.pem"));
  await ownCertificate({ dataDir, organization: "Beats", hosts: ["new.example"] }, clock, log);
  expect(await fileText("ca.pem")).not.toBe(before);
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("Give clients the new ca.pem"));
});

test("a key and a certificate that do not match are not served", async () => {
  const certificate = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  await writeFile(join(dataDir, "tls", "server-key.pem"), await fileText("ca-key.pem"));
  const reissued = await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  expect(reissued.cert).not.toBe(certificate.cert);
  expect(await fileText("server.pem")).toBe(reissued.cert);
});

test("concurrent starts agree on one CA and one certificate", async () => {
  const module = new URL("./certificate.ts", import.meta.url).href;
  const program = `
    const { ownCertificate } = await import(${JSON.stringify(module)});
    const clock = { nowMs: () => Date.now(), monotonicMs: () => 0 };
    const own = await ownCertificate({ dataDir: ${JSON.stringify(dataDir)}, organization: "Beats", hosts: [] }, clock, console);
    console.log(JSON.stringify(own));`;
  const starts = await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ["--input-type=module", "--eval", program])),
  );
  const owns = new Set(starts.map(({ stdout }) => stdout));
  expect(owns.size).toBe(1);
  expect(JSON.parse([...owns][0] ?? "").cert).toBe(await fileText("server.pem"));
  expect(starts.map(({ stderr }) => stderr).join("")).toBe("");
});

test("the lock file of a killed process does not block the next process", async () => {
  await ownCertificate({ dataDir, organization: "Beats", hosts: [] }, clock, log);
  const lock = join(dataDir, "tls", "lock");
  await writeFile(lock, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  await ownCertificate({ dataDir, organization: "Beats", hosts: ["new.example"] }, clock, log);
  expect(await readdir(join(dataDir, "tls"))).not.toContain("lock");
});

test("the error names a folder that cannot be created", async () => {
  await writeFile(join(dataDir, "file"), "");
  await expect(
    ownCertificate({ dataDir: join(dataDir, "file"), organization: "Beats", hosts: [] }, clock, log),
  ).rejects.toThrow(/file.tls.*(ENOTDIR|EEXIST)/);
});
