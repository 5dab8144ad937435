import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { statusEntry } from "@beatmarket/license-terms/status-entry.ts";
import { termsSha256 } from "@beatmarket/license-terms/terms.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { verifyJws } from "@beatmarket/signing-keys/jws.ts";
import { keySet, SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { insertSoldOrder } from "../../../test/harness/database/orders.ts";
import { type Certificate, certificatePrinter, findLicense, issueLicense, type LicenseParts } from "./certificate.ts";
import { certificateType, findPublicLicense } from "./queries.ts";
import { recordTerms } from "./terms.ts";

const database = await testDatabase();
const { query: db } = database;
const clock = new FakeClock(Date.UTC(2026, 10, 22, 19, 11));
const folder = await mkdtemp(join(tmpdir(), "beatmarket-licenses-"));
const objects = new StoredObjects(db, new FolderStorage(join(folder, "objects")));
const box = await openSecretBox({ dataDir: "/nonexistent", secretKey: "a key" });

const documents = new DocumentPrinter();
const printer = certificatePrinter(documents);
const instance = (overrides: Partial<LicenseParts> = {}): LicenseParts => ({
  clock,
  publicUrl: "https://beats.example.com",
  terms: builtInTerms,
  keys: new SigningKeys(db, box),
  printer,
  proofOf: async () => null,
  objects,
  scratch: new ScratchFolders(join(folder, "scratch")),
  issuing: new Map(),
  ...overrides,
});
const [one, other] = [instance(), instance()];

beforeAll(() => recordTerms(db, builtInTerms, clock.now()));
afterAll(async () => {
  await documents.close();
  await rm(folder, { recursive: true });
});

it("issues one license for an order, even if several instances issue concurrently or facts change later", async () => {
  const facts = await insertSoldOrder(database);
  const licenses = await Promise.all([one, one, other, other].map((parts) => issueLicense(db, parts, facts)));
  expect(new Set(licenses.map(({ id }) => id)).size).toBe(1);
  clock.advance(60_000);
  expect(await issueLicense(db, other, { ...facts, beatTitle: "Renamed" })).toEqual(licenses[0]);
  expect(await findLicense(db, facts.orderId)).toEqual(licenses[0]);
});

it("signs the purchase without the buyer and the price, and stores the PDF", async () => {
  const facts = await insertSoldOrder(database, { licenseType: "premium", termsVersion: null });
  const { id, jws, pdf, licenseType, termsVersion } = await issueLicense(db, one, facts);
  expect({ licenseType, termsVersion }).toEqual({ licenseType: "premium", termsVersion: "2026-11-26" });
  expect(verifyJws(jws, (await keySet(db)).keys, certificateType)).toEqual({
    iss: "https://beats.example.com",
    iat: Math.floor(clock.nowMs() / 1000),
    jti: id,
    license_type: "premium",
    terms: { version: "2026-11-26", sha256: termsSha256(builtInTerms.texts.premium) },
    order_id: facts.orderId,
    purchased_at: "2026-11-22T19:10:00Z",
    beat: { id: facts.beatId, title: "Midnight" },
    producer: { id: facts.producerId, name: "Nightowl" },
    files: facts.files.map(({ kind, filename, sha256, bytes }) => ({ kind, filename, sha256, bytes })),
    credentialStatus: statusEntry((await findPublicLicense(db, id))?.statusIndex ?? -1, "https://beats.example.com"),
  });
  const file = join(folder, "objects", pdf.sha256.slice(0, 2), pdf.sha256.slice(2, 4), pdf.sha256);
  const bytes = await readFile(file);
  expect(bytes.length).toBe(pdf.bytes);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(pdf.sha256);
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
});

it("signs and prints the id of the replaced license, if there is one", async () => {
  const before = await issueLicense(db, one, await insertSoldOrder(database));
  let printedCertificate: Certificate | null = null;
  const printing = instance({
    printer: {
      print: (certificate) => {
        printedCertificate = certificate;
        return printer.print(certificate);
      },
    },
  });
  const { jws } = await issueLicense(db, printing, { ...(await insertSoldOrder(database)), replaces: before.id });
  const { keys } = await keySet(db);
  expect(verifyJws(jws, keys, certificateType)).toMatchObject({ replaces: before.id });
  expect(printedCertificate).toMatchObject({ replaces: before.id });
  expect(verifyJws(before.jws, keys, certificateType)).not.toHaveProperty("replaces");
});

it("signs and prints the proof that the sale is in the license log", async () => {
  const proof = {
    origin: "beats.example.com/licenses/log",
    index: 7,
    size: 12,
    leaf: "e30=",
    proof: ["AA=="],
    salt: "AA==",
    opening: "{}",
    checkpoint: "beats.example.com/licenses/log\n12\n",
  };
  let printedCertificate: Certificate | null = null;
  const proving = instance({
    proofOf: async () => proof,
    printer: {
      print: (certificate) => {
        printedCertificate = certificate;
        return printer.print(certificate);
      },
    },
  });
  const { jws } = await issueLicense(db, proving, await insertSoldOrder(database));
  expect(verifyJws(jws, (await keySet(db)).keys, certificateType)).toMatchObject({ log: proof });
  expect(printedCertificate).toMatchObject({ log: proof });
});

it("includes the limits of the order in the terms of the license", async () => {
  const facts = await insertSoldOrder(database, { changedLimits: { streams: 50_000, years: 3 } });
  const { id, jws } = await issueLicense(db, one, facts);
  const publicLicense = await findPublicLicense(db, id);
  const text = publicLicense?.terms.text ?? "";
  expect(text).toContain("up to 50,000 audio and video streams");
  expect(text).toContain("3 years");
  expect(text).toContain("up to 2,000 copies");
  const claims = verifyJws(jws, (await keySet(db)).keys, certificateType);
  expect(claims).toMatchObject({ terms: { version: "2026-11-26", sha256: termsSha256({ text }) } });
});

it("stores nothing if printing fails, and issues the license later", async () => {
  const facts = await insertSoldOrder(database);
  const failing = instance({
    printer: {
      print: () => Promise.reject(new ApiError(503, "server_error", "Certificate not ready", "Later.")),
    },
  });
  const attempts = [issueLicense(db, failing, facts), issueLicense(db, failing, facts)];
  await Promise.all(attempts.map((issuing) => expect(issuing).rejects.toMatchObject({ status: 503 })));
  expect(await findLicense(db, facts.orderId)).toBeNull();
  expect(failing.issuing.size).toBe(0);
  expect((await issueLicense(db, one, facts)).id).toBeDefined();
});
