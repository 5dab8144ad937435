import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deleteOldMails } from "./mailer.ts";

const nowMs = Date.UTC(2026, 2, 1);
const hourMs = 3_600_000;

async function dataDirWith(files: Record<string, number>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "mail-files-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(join(dataDir, "mail"));
  for (const [name, ageHours] of Object.entries(files)) {
    await writeFile(join(dataDir, name), "");
    await utimes(join(dataDir, name), new Date(), new Date(nowMs - ageHours * hourMs));
  }
  return dataDir;
}
const left = async (dataDir: string) => (await readdir(dataDir, { recursive: true })).sort();

it("mails are kept for 30 days, drafts of killed processes for an hour, and nothing else is touched", async () => {
  const dataDir = await dataDirWith({
    "mail/old.eml": 721,
    "mail/kept.eml": 719,
    "mail/note.txt": 9_999,
    ".left.eml": 2,
    ".being-written.eml": 0.5,
    "secret-key": 9_999,
  });
  expect(await deleteOldMails(dataDir, nowMs)).toBe(2);
  expect(await left(dataDir)).toEqual([".being-written.eml", "mail", "mail/kept.eml", "mail/note.txt", "secret-key"]);
});

it("of too many mails the newest are kept", async () => {
  const dataDir = await dataDirWith({ "mail/2026-01.eml": 1, "mail/2026-02.eml": 1, "mail/2026-03.eml": 1 });
  expect(await deleteOldMails(dataDir, nowMs, 2)).toBe(1);
  expect(await left(dataDir)).toEqual(["mail", "mail/2026-02.eml", "mail/2026-03.eml"]);
});

it("a folder that does not exist has none", async () => {
  expect(await deleteOldMails("/nonexistent", nowMs)).toBe(0);
});
