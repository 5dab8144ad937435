import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { secretBoxDatabase } from "../testing/secret-box-database.ts";
import { changeSealingKey, openSecretBox } from "./secret-box.ts";
import { addKey } from "./secret-keys.ts";

const parent = await mkdtemp(join(tmpdir(), "beatmarket-box-"));
afterAll(() => rm(parent, { recursive: true }));
const folder = () => mkdtemp(join(parent, "data-"));

const { query: db } = await secretBoxDatabase();
const place = { column: "webhook_endpoints.secret", id: 7 };
const boxWith = (secretKey: string, secretKeyPrevious?: string) =>
  openSecretBox({ dataDir: "/nonexistent", secretKey, secretKeyPrevious });

/** Resets the database to the state before the first sealed secret. */
beforeEach(async () => {
  await db.updateTable("sealing_key").set({ id: null, format: 2 }).execute();
});

describe("a secret box", () => {
  it("opens its own sealed text, which reveals nothing", async () => {
    const box = await boxWith("k".repeat(40));
    const sealed = await box.seal(db, place, "whsec_Zürich");
    expect(sealed).not.toContain("whsec");
    expect(await box.seal(db, place, "whsec_Zürich")).not.toBe(sealed);
    expect(box.open(sealed, place)).toBe("whsec_Zürich");
  });

  it("does not open a changed text, or a text of another row, column or key", async () => {
    const box = await boxWith("one");
    const sealed = await box.seal(db, place, "text");
    expect(() => box.open(sealed, { ...place, id: 8 })).toThrow(/row 8 was changed, or sealed for another row/);
    expect(() => box.open(sealed, { ...place, column: "webhook_endpoints.previous_secret" })).toThrow(OperatorError);
    const other = await boxWith("two");
    expect(() => other.open(sealed, place)).toThrow(
      `sealed under the key ${box.keys.newest.id}, and this process has ${other.keys.newest.id}.`,
    );
    const [version, id, text = ""] = sealed.split(":");
    for (const damaged of [
      sealed.slice(0, -6),
      `${version}:${id}:AAAA${text.slice(4)}`,
      `v1:${text}`,
      "v2:",
      "v1:",
      "",
    ])
      expect(() => box.open(damaged, place), damaged).toThrow(OperatorError);
  });

  it("seals in the earlier format while earlier releases may run, and opens that format with each of its keys", async () => {
    await db.updateTable("sealing_key").set({ format: 1 }).execute();
    const sealed = await (await boxWith("one")).seal(db, place, "text");
    expect(sealed).toMatch(/^v1:[^:]+$/);
    expect((await boxWith("two", "one")).open(sealed, place)).toBe("text");
    const other = await boxWith("two");
    expect(() => other.open(sealed, place)).toThrow(/row 7 was sealed under another key\. Set SECRET_KEY/);
  });

  it("seals under the old key until the database names the new key", async () => {
    const [before, during, after] = await Promise.all([boxWith("one"), boxWith("two", "one"), boxWith("two")]);
    const old = await during.seal(db, place, "old");
    expect(before.open(old, place)).toBe("old");
    await changeSealingKey(db, during.keys.newest.id);
    const fresh = await during.seal(db, place, "fresh");
    expect(after.open(fresh, place)).toBe("fresh");
    expect(during.open(old, place)).toBe("old");
    await expect(before.seal(db, place, "text")).rejects.toThrow(/this process has .* SECRET_KEY_PREVIOUS/);
    await expect(before.refresh(db)).rejects.toThrow(OperatorError);
  });

  it("returns the session secret of the sealing key first, then those of the other keys", async () => {
    const box = await boxWith("two", "one");
    const [fresh, old] = box.keys.all.map(({ sessions }) => sessions);
    expect(box.sessionSecrets).toEqual([old, fresh]);
    await changeSealingKey(db, box.keys.newest.id);
    await box.refresh(db);
    expect(box.sessionSecrets).toEqual([fresh, old]);
  });
});

describe("the key file in DATA_DIR", () => {
  it("is created once even by concurrent starts, and only its owner can read it", async () => {
    const dataDir = join(await folder(), "new");
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox({ dataDir, secretKey: undefined })));
    expect(new Set(boxes.map(({ keys }) => keys.newest.id)).size).toBe(1);
    expect((await stat(join(dataDir, "secret-key"))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(dataDir, "secret-key"), "utf8")).trim().length).toBeGreaterThanOrEqual(43);
  });

  it("keeps the old key when it gets a new key, and a running process reads the new key on demand", async () => {
    const dataDir = await folder();
    const running = await openSecretBox({ dataDir, secretKey: undefined });
    const old = await running.seal(db, place, "old");
    await addKey(dataDir);
    const restarted = await openSecretBox({ dataDir, secretKey: undefined });
    expect(restarted.open(old, place)).toBe("old");
    await changeSealingKey(db, restarted.keys.newest.id);
    expect(running.open(await restarted.seal(db, place, "fresh"), place)).toBe("fresh");
    expect((await stat(join(dataDir, "secret-key"))).mode & 0o777).toBe(0o600);
  });

  it("is rejected with a clear error if it is damaged", async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, "secret-key"), "");
    await expect(openSecretBox({ dataDir, secretKey: undefined })).rejects.toThrow(/secret-key is damaged/);
  });
});
