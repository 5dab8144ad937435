import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { openCheckpoint, signCheckpoint } from "@beatmarket/transparency-log/checkpoint.ts";
import { Cosigning } from "@beatmarket/transparency-log/cosigning.ts";
import { leafHash } from "@beatmarket/transparency-log/hashing.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { type ReadFile, readEntries } from "@beatmarket/transparency-log/log-reader.ts";
import { parseVerifierKey, verifierKey } from "@beatmarket/transparency-log/note.ts";
import { openSigningKey } from "@beatmarket/transparency-log/signing-key-file.ts";
import { isIncluded } from "@beatmarket/transparency-log/verify.ts";
import type { StoredCheckpoint } from "@beatmarket/transparency-log/witness-server.ts";
import { listenAsWitness } from "@beatmarket/transparency-log/witness-server.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testApi, webhookSecrets } from "../../../../test/harness/api.ts";
import { insertLicense } from "../../../../test/harness/database/licenses.ts";
import { insertSoldOrder } from "../../../../test/harness/database/orders.ts";
import { auditLog, type PublishedLicense, witnessLog } from "./audit.ts";
import { commitmentOf, decodeLeaf, encodeLeaf, type Leaf } from "./entry.ts";
import { countSold, leafCount } from "./leaves.ts";
import { LicenseLog } from "./license-log.ts";
import { type CertifiedProof, certifiedProof } from "./proof.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-license-log-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ dataDir, clock });
const db = api.database.query;
const logged: string[] = [];
const parts = {
  db,
  clock,
  publicUrl: "https://beats.example.com",
  box: webhookSecrets,
  log: { error: (...values: unknown[]) => void logged.push(String(values.at(-1))) },
};

let files: MemoryFiles;
let log: LicenseLog;
/** A storage in memory. */
class MemoryFiles {
  contents = new Map<string, Buffer>();
  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    this.contents.set(key, Buffer.concat(await Array.fromAsync(content)));
  }
  async get(key: string) {
    const content = this.contents.get(key);
    return content === undefined
      ? null
      : ((async function* () {
          yield content;
        })() as never);
  }
  async delete(key: string): Promise<void> {
    this.contents.delete(key);
  }
  async *list(prefix: string) {
    for (const key of [...this.contents.keys()])
      if (key.startsWith(prefix)) yield { key, bytes: 0, putAt: new Date(0) };
  }
}
const openLog = () => new LicenseLog({ ...parts, files: () => files as never });
beforeEach(async () => {
  await db.deleteFrom("license_log").execute();
  await db.deleteFrom("license_log_published").execute();
  files = new MemoryFiles();
  log = openLog();
});

const read: ReadFile = (path) => log.files.read(path);
const leaves = async (): Promise<Leaf[]> => {
  const size = (await log.files.checkpoint())?.size ?? 0;
  return (await Array.fromAsync(readEntries(0, size, read))).map((entry) => decodeLeaf(entry) as Leaf);
};
const keyOfLog = async (): Promise<string> => {
  const { name, privateKey } = await signerOf();
  return verifierKey({ name, publicKey: createPublicKey(privateKey) });
};
const signerOf = () => log.key.signer("beats.example.com/licenses/log", clock.now());
const audit = async (options: Partial<Parameters<typeof auditLog>[1]> = {}) =>
  auditLog(read, { key: await keyOfLog(), storedCheckpoint: null, ...options });

const complete = (order: Partial<Parameters<typeof insertSoldOrder>[1]> = {}) =>
  insertSoldOrder(api.database, { purchasedAt: clock.now(), ...order });

describe("the license log", () => {
  it("logs each license, refund, takedown, restoration and return to sale, but no rollback and no buyer", async () => {
    await log.publish();
    expect((await log.files.checkpoint())?.size).toBe(0);
    const firstSale = await complete({ licenseType: "exclusive", buyerName: "Bonnie Buyer" });
    await db
      .updateTable("beats")
      .set({ exclusive_state: "sold", exclusive_order_id: firstSale.orderId, is_listed: false })
      .where("id", "=", firstSale.beatId)
      .execute();
    expect(await countSold(db, firstSale.beatId)).toEqual({ sold: 1, aroundExclusive: { before: 0, after: 0 } });
    const page = (await api.get(`/beats/${firstSale.beatId}`, { key: null, accept: "text/html" })).body;
    expect(page).toContain("Sold before the exclusive license: 0. After it: 0.");
    await transact(db, async (transaction) => {
      await transaction
        .updateTable("beats")
        .set({ exclusive_state: "available", exclusive_order_id: null })
        .where("id", "=", firstSale.beatId)
        .execute();
      await transaction
        .updateTable("orders")
        .set({ refunded_cents: 2990, refunded_at: clock.now() })
        .where("id", "=", firstSale.orderId)
        .execute();
    });
    const setTakenDown = (isTakenDown: boolean) =>
      db
        .updateTable("beats")
        .set({ is_listed: false, is_taken_down: isTakenDown, updated_at: clock.now() })
        .where("id", "=", firstSale.beatId)
        .execute();
    await setTakenDown(true);
    await setTakenDown(false);
    await transact(db, async (transaction) => {
      await transaction.updateTable("orders").set({ status: "pending" }).where("id", "=", firstSale.orderId).execute();
      await transaction
        .updateTable("orders")
        .set({ status: "completed" })
        .where("id", "=", firstSale.orderId)
        .execute();
      throw new Error("rolled back");
    }).catch(() => {});
    await log.publish();
    const published = await leaves();
    expect(published.map(({ kind, exclusive, of }) => [kind, exclusive, of])).toEqual([
      ["sold", true, undefined],
      ["returned", undefined, undefined],
      ["refunded", true, 0],
      ["taken_down", undefined, undefined],
      ["restored", undefined, undefined],
    ]);
    expect(new Set(published.map(({ beat }) => beat))).toEqual(new Set([firstSale.beatId]));
    expect(JSON.stringify(published)).not.toMatch(/Bonnie|buyer/i);
    expect(await countSold(db, firstSale.beatId)).toEqual({ sold: 1, aroundExclusive: null });
    expect(await audit()).toMatchObject({ size: 5, sold: 1, lost: 0, problems: [] });
  });

  it("has no gap and no duplicate leaf with concurrent orders and instances", async () => {
    const other = openLog();
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        await complete();
        await Promise.all([log.publish(), other.publish()]);
      }),
    );
    await log.publish();
    expect(await leafCount(db)).toBe(24);
    expect(new Set((await leaves()).map(({ commitment }) => commitment)).size).toBe(24);
    expect(await audit()).toMatchObject({ size: 24, sold: 24, problems: [] });
  });

  it("continues after a kill between publishing a checkpoint and recording it in the database", async () => {
    await complete();
    await log.publish();
    await db.updateTable("license_log_published").set({ size: 0 }).execute();
    await complete();
    await openLog().publish();
    expect(await audit()).toMatchObject({ size: 2, lost: 0, problems: [] });
  });

  it("publishes the leaf of a new certificate, and returns the proof up to the signed checkpoint", async () => {
    await complete();
    const sale = await complete();
    const proof = await certifiedProof(db, log, sale.orderId);
    expect(proof).toMatchObject({ index: 1, size: 2 });
    const { leaf, checkpoint, salt, opening, proof: hashes } = proof as CertifiedProof;
    const signed = openCheckpoint(checkpoint, parseVerifierKey(await keyOfLog()));
    const entry = Buffer.from(leaf, "base64");
    const path = hashes.map((each) => Buffer.from(each, "base64"));
    expect(isIncluded(leafHash(entry), 1, 2, path, signed?.root ?? Buffer.alloc(0))).toBe(true);
    expect(decodeLeaf(entry)?.commitment).toBe(commitmentOf(opening, Buffer.from(salt, "base64")));
    expect(JSON.parse(opening)).toMatchObject({ beat: sale.beatId, type: "basic" });
  });

  it("returns no proof if the log's files cannot be written, and none for an order without a leaf", async () => {
    const sale = await complete();
    files.put = () => Promise.reject(new Error("The storage is unreachable."));
    expect(await certifiedProof(db, log, sale.orderId)).toBeNull();
    expect(await certifiedProof(db, log, 0)).toBeNull();
  });

  it("is served without a key, with immutable tiles; an audit finds an altered license page", async () => {
    const license = await insertLicense(api.database, { purchasedAt: clock.now() });
    const served = new LicenseLog({ ...parts, files: () => storedFiles });
    await served.publish();
    const get = (url: string) => api.get(url, { key: null });
    const checkpoint = await get("/licenses/log/checkpoint");
    expect(checkpoint.headers).toMatchObject({ "cache-control": "public, max-age=1" });
    const tile = await get("/licenses/log/tile/entries/000.p/1");
    expect(tile.headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable" });
    for (const path of ["tile/0/000", "tile/0/0.p/1", "tile/entries/..", "tile/64/000"])
      expect((await get(`/licenses/log/${path}`)).statusCode, path).toBe(404);
    const page = (await api.get(`/licenses/${license.id}`, { key: null, accept: "application/json" })).json().data
      .license;
    expect(page.log).toMatchObject({ index: 0, size: 1, proof: [] });
    const root = (await served.files.checkpoint())?.root ?? Buffer.alloc(0);
    expect(isIncluded(leafHash(Buffer.from(page.log.leaf, "base64")), 0, 1, [], root)).toBe(true);
    const readServed: ReadFile = async (path) => {
      const { statusCode, rawPayload } = await get(`/licenses/log/${path}`);
      return statusCode === 404 ? null : rawPayload;
    };
    const key = (await get("/licenses/log/key")).body.trim();
    const checked = await auditLog(readServed, { key, storedCheckpoint: null, licenses: [page as PublishedLicense] });
    expect(checked.problems).toEqual([]);
    const altered = { ...page, terms: { ...page.terms, text: `${page.terms.text} And a fee.` } };
    const auditOfAltered = await auditLog(readServed, { key, storedCheckpoint: null, licenses: [altered] });
    expect(auditOfAltered.problems).toEqual([expect.stringMatching(/^License .* shows terms_sha256 /)]);
    const other = { ...page, type: "exclusive" };
    expect((await auditLog(readServed, { key, storedCheckpoint: null, licenses: [other] })).problems).toHaveLength(1);
  });
  let storedFiles: never;
  beforeAll(async () => {
    const { FolderFiles } = await import("@beatmarket/storage/folder-files.ts");
    storedFiles = new FolderFiles(join(dataDir, "objects"), "STORAGE_URL") as never;
  });
});

describe("witnesses", () => {
  let checkpoint: StoredCheckpoint | null;
  const signer = { name: "witness.example/w1", privateKey: generateKeyPairSync("ed25519").privateKey };
  const verifier = { name: signer.name, publicKey: createPublicKey(signer.privateKey) };
  const witnessKey = verifierKey(verifier, "cosignature");
  const warnings: object[] = [];
  const warn = { warn: (facts: object) => void warnings.push(facts) } as never;
  beforeEach(() => {
    checkpoint = null;
    warnings.length = 0;
  });
  const startWitness = async () => {
    const server = await listenAsWitness({
      log: parseVerifierKey(await keyOfLog()),
      signer,
      port: 0,
      host: "127.0.0.1",
      readCheckpoint: async () => checkpoint,
      keep: async (next) => {
        checkpoint = next;
      },
    });
    onTestFinished(server.close);
    return `http://127.0.0.1:${server.port}`;
  };

  it("cosign each checkpoint of a growing log, and the auditor requires the cosignature", async () => {
    const cosigning = new Cosigning({
      signedLog: log,
      witnesses: [{ verifier, url: await startWitness() }],
      log: warn,
    });
    for (const size of [1, 2, 3]) {
      await complete();
      await log.publish();
      expect((await audit({ witnesses: [witnessKey] })).problems).toEqual([
        "The witness witness.example/w1 has not cosigned the checkpoint.",
      ]);
      await cosigning.run();
      expect(await audit({ witnesses: [witnessKey] })).toMatchObject({ size, problems: [] });
      await cosigning.run();
      expect(checkpoint?.checkpoint).toContain(`\n${size}\n`);
    }
    // A new process does not know the size that the witness has cosigned.
    await complete();
    await log.publish();
    await new Cosigning({ signedLog: log, witnesses: [{ verifier, url: await startWitness() }], log: warn }).run();
    expect(await audit({ witnesses: [witnessKey] })).toMatchObject({ size: 4, problems: [] });
    expect(warnings).toEqual([]);
  });

  it("do not cosign a fork; a fork and an unreachable witness each cause one warning, and change nothing", async () => {
    await complete();
    await log.publish();
    const url = await startWitness();
    await new Cosigning({ signedLog: log, witnesses: [{ verifier, url }], log: warn }).run();
    await db.deleteFrom("license_log").execute();
    await db.deleteFrom("license_log_published").execute();
    files.contents.clear();
    await complete();
    await complete();
    await openLog().publish();
    const note = await log.files.read("checkpoint");
    const forked = new Cosigning({ signedLog: log, witnesses: [{ verifier, url }], log: warn });
    await forked.run();
    await forked.run();
    expect(await log.files.read("checkpoint")).toEqual(note);
    expect(warnings).toEqual([
      { err: expect.objectContaining({ message: expect.stringContaining("answers 422") }), witness: signer.name },
    ]);
    const down = new Cosigning({ signedLog: log, witnesses: [{ verifier, url: "http://127.0.0.1:1" }], log: warn });
    await down.run();
    expect(await log.files.read("checkpoint")).toEqual(note);
    expect(warnings).toHaveLength(2);
  });

  it("answer 404 to another path, 413 to a body that is too long, and 400 to an invalid body", async () => {
    const url = await startWitness();
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/add-checkpoint`, { method: "POST", body: "x".repeat(40_000) })).status).toBe(413);
    expect((await fetch(`${url}/add-checkpoint`, { method: "POST", body: "x" })).status).toBe(400);
  });

  it("store their key in a private file, which is created once with a name; another file is rejected", async () => {
    const file = join(dataDir, "witness.key");
    const created = await openSigningKey(file, "witness.example/w2");
    const again = await openSigningKey(file, undefined);
    expect([again.name, again.privateKey.equals(created.privateKey)]).toEqual(["witness.example/w2", true]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(openSigningKey(join(dataDir, "no.key"), undefined)).rejects.toThrow("--name takes the name");
    await writeFile(join(dataDir, "bad.key"), "nonsense");
    await expect(openSigningKey(join(dataDir, "bad.key"), "a")).rejects.toThrow("is not the key of a witness");
  });
});

describe("a database that was restored to an earlier moment", () => {
  /** Copies the rows of the log. Returns a function that restores them. */
  const backup = async () => {
    const [rows, published] = [
      await db.selectFrom("license_log").selectAll().execute(),
      await db.selectFrom("license_log_published").selectAll().execute(),
    ];
    return async () => {
      await db.deleteFrom("license_log").execute();
      await db.deleteFrom("license_log_published").execute();
      await db.insertInto("license_log").values(rows).execute();
      if (published.length > 0) await db.insertInto("license_log_published").values(published).execute();
    };
  };
  const beatTitle = "Once";

  it("continues the published log with a leaf that names the lost leaves, and writes deleted files again", async () => {
    const first = await complete({ beatTitle });
    await log.publish();
    const restore = await backup();
    const sale = await complete({ licenseType: "exclusive", beatTitle: "Lost" });
    await complete();
    await log.publish();
    const checkpoint = (await audit()).storedCheckpoint;
    await restore();
    // After the restore, before the log is published, the shop sells the exclusive license of the same beat again.
    const again = await complete({ licenseType: "exclusive" });
    await db.updateTable("license_log").set({ beat_id: sale.beatId }).where("order_id", "=", again.orderId).execute();
    await openLog().publish();
    expect((await leaves()).map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ["sold", undefined, undefined],
      ["sold", undefined, undefined],
      ["sold", undefined, undefined],
      ["lost", 1, 3],
      ["sold", undefined, undefined],
    ]);
    expect(await audit({ storedCheckpoint: checkpoint })).toMatchObject({ size: 5, lost: 2, problems: [] });
    expect((await countSold(db, first.beatId)).sold).toBe(1);
    await complete();
    await openLog().publish();
    expect(await audit({ storedCheckpoint: checkpoint })).toMatchObject({ size: 6, lost: 2, problems: [] });
    // Deleted files are written again from the database, with the same leaves.
    const before = await log.files.read("checkpoint");
    files.contents.clear();
    logged.length = 0;
    await openLog().publish();
    expect(await log.files.read("checkpoint")).toEqual(before);
    expect(logged).toEqual([
      expect.stringMatching(/^the files of the license log are missing, so they are written again/),
    ]);
  });
});

describe("an auditor finds", () => {
  const time = (seconds: number) =>
    new Date(Date.UTC(2027, 0, 1) + seconds * 1_000).toISOString().replace(".000Z", "Z");
  const saleLeaf = (seconds: number, beat: number, exclusive = false, placed = seconds): Leaf => ({
    v: 1,
    kind: "sold",
    time: time(seconds),
    beat,
    exclusive,
    placed: time(placed),
    commitment: `${seconds}`,
  });
  const returned = (seconds: number, beat: number): Leaf => ({ v: 1, kind: "returned", time: time(seconds), beat });
  const honest = [
    saleLeaf(1, 1),
    saleLeaf(2, 2, true),
    saleLeaf(3, 1),
    saleLeaf(4, 2, false, 1),
    returned(5, 2),
    saleLeaf(6, 2, true),
  ];

  /** Publishes a log with these leaves, as a cheating shop would sign them. */
  const publish = async (newLeaves: readonly Leaf[], target = files) => {
    target.contents.clear();
    await new LogFiles(target as never, "licenses/log").append(
      "beats.example.com/licenses/log",
      newLeaves.map(encodeLeaf),
      [await signerOf()],
    );
  };

  it("no problem in an honest log", async () => {
    await publish(honest);
    expect(await audit()).toMatchObject({ problems: [], sold: 5 });
  });

  it.each<[string, Leaf[], RegExp]>([
    [
      "an exclusive license that is sold twice",
      [...honest, saleLeaf(7, 2, true)],
      /^Leaf 6 sells the exclusive license of beat 2 again/,
    ],
    [
      "an order placed after the exclusive license was sold",
      [...honest, saleLeaf(9, 2, false, 8)],
      /^Leaf 6 is of an order of beat 2 placed after/,
    ],
    ["a backdated leaf", [...honest, saleLeaf(3, 5)], /^Leaf 6 of .* is dated before the leaf in front/],
    [
      "a backdated order",
      [...honest, saleLeaf(3_000_000, 2, false, 1)],
      /^Leaf 6 .* is of an order that was placed at/,
    ],
    [
      "an exclusive license that is reinstated although it is sold",
      [...honest, { ...saleLeaf(7, 2, true), kind: "reinstated" }],
      /^Leaf 6 gives back/,
    ],
    [
      "a leaf about lost leaves that does not name them",
      [...honest, { v: 1, kind: "lost", time: time(7), from: 2, to: 4 }],
      /^Leaf 6 says that leaves were lost/,
    ],
    ["an invalid leaf", [...honest, { ...saleLeaf(7, 9), v: 2 as never }], /^Leaf 6 is not of a kind and version that/],
  ])("%s", async (_, cheat, problem) => {
    await publish(cheat);
    expect((await audit()).problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[string, Leaf[]]>([
    ["a leaf that was deleted", honest.toSpliced(2, 1)],
    ["a leaf that was altered", honest.with(2, saleLeaf(3, 1, false, 2))],
    [
      "a log that was forked after a restore",
      [...honest.slice(0, 3), saleLeaf(9, 8), saleLeaf(10, 8), saleLeaf(11, 9), saleLeaf(12, 9)],
    ],
    ["a log that was replaced by a longer one", [saleLeaf(1, 7), ...honest]],
  ])("%s, by the stored checkpoint", async (_, cheat) => {
    await publish(honest);
    const { storedCheckpoint } = await audit();
    await publish(cheat);
    const { problems, storedCheckpoint: next } = await audit({ storedCheckpoint });
    expect(problems.join(" ")).toMatch(/some were deleted|not those of the last audit/);
    expect(next).toBeNull();
    await expect(witnessLog(read, await keyOfLog(), storedCheckpoint)).rejects.toThrow(
      "does not continue from the checkpoint",
    );
  });

  it("an altered entry, tile or checkpoint", async () => {
    await publish(honest);
    const { storedCheckpoint } = await audit();
    const change = async (path: string, bytes: Buffer) => {
      await publish(honest);
      files.contents.set(`licenses/log/${path}`, bytes);
      return (await audit({ storedCheckpoint })).problems.join(" ");
    };
    const entries = (await read("tile/entries/000.p/6")) ?? Buffer.alloc(0);
    expect(
      await change(
        "tile/entries/000.p/6",
        Buffer.from(entries.toString("latin1").replace('"beat":1', '"beat":9'), "latin1"),
      ),
    ).toMatch(/do not lead to the signed root/);
    const tile = Buffer.from((await read("tile/0/000.p/6")) ?? "");
    tile[0] = (tile[0] ?? 0) ^ 1;
    expect(await change("tile/0/000.p/6", tile)).toBe("The tiles do not lead to the signed root.");
    const stranger = { name: "beats.example.com/licenses/log", privateKey: generateKeyPairSync("ed25519").privateKey };
    const checkpoint = { origin: stranger.name, size: 6, root: Buffer.alloc(32) };
    expect(await change("checkpoint", Buffer.from(signCheckpoint(checkpoint, [stranger])))).toMatch(
      /not signed with the log's key/,
    );
  });

  it("no problem as a witness of a growing log", async () => {
    await publish(honest.slice(0, 2));
    const first = await witnessLog(read, await keyOfLog(), null);
    await publish(honest);
    const second = await witnessLog(read, await keyOfLog(), first);
    expect([first.size, second.size]).toEqual([2, 6]);
  });
});
