import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { OperatorError } from "../../../errors.ts";
import { openSecretBox } from "./secret-box.ts";

const parent = await mkdtemp(join(tmpdir(), "beatmarket-box-"));
afterAll(() => rm(parent, { recursive: true }));
const folder = () => mkdtemp(join(parent, "data-"));

describe("a secret box", () => {
  it("opens what it sealed, and a sealed text reveals nothing", async () => {
    const box = await openSecretBox({ dataDir: await folder(), secretKey: "k".repeat(40) });
    const sealed = box.seal("whsec_Zürich");
    expect(sealed).not.toContain("whsec");
    expect(box.seal("whsec_Zürich")).not.toBe(sealed);
    expect(box.open(sealed)).toBe("whsec_Zürich");
  });

  it("refuses a text sealed under another key, and a changed one", async () => {
    const dataDir = await folder();
    const box = await openSecretBox({ dataDir, secretKey: "one" });
    const other = await openSecretBox({ dataDir, secretKey: "two" });
    const sealed = box.seal("text");
    expect(() => other.open(sealed)).toThrow(OperatorError);
    for (const damaged of [sealed.slice(0, -6), `${sealed.slice(0, 8)}AAAA${sealed.slice(12)}`, "v1:", ""])
      expect(() => box.open(damaged)).toThrow(OperatorError);
  });

  it("creates one key file in DATA_DIR, readable only by its owner, even from concurrent starts", async () => {
    const dataDir = join(await folder(), "new");
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox({ dataDir, secretKey: undefined })));
    const sealed = boxes[0]?.seal("text") ?? "";
    for (const box of boxes) expect(box.open(sealed)).toBe("text");
    expect((await stat(join(dataDir, "secret-key"))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(dataDir, "secret-key"), "utf8")).trim().length).toBeGreaterThanOrEqual(43);
  });

  it("refuses a damaged key file with a clear error", async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, "secret-key"), "");
    await expect(openSecretBox({ dataDir, secretKey: undefined })).rejects.toThrow(/secret-key is damaged/);
  });
});
