import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const retentionMs = 30 * 86_400_000;
const maxFiles = 10_000;
/** Of a mail that a killed process was writing. */
const draftRetentionMs = 3_600_000;

/** The folder of mails that no mail server takes. */
export const mailFolder = (dataDir: string): string => join(dataDir, "mail");

/**
 * Deletes mails in the folder after 30 days and beyond the newest `keep` files, and drafts that were never finished.
 * Returns their number.
 */
export async function deleteOldMails(dataDir: string, nowMs: number, keep: number = maxFiles): Promise<number> {
  const mails = await listMails(mailFolder(dataDir), /^[^.].*\.eml$/);
  const drafts = await listMails(dataDir, /^\..*\.eml$/);
  const [excess, others] = [mails.slice(0, -keep), mails.slice(-keep)];
  const old = await Promise.all([
    ...others.map((path) => isOlder(path, nowMs - retentionMs)),
    ...drafts.map((path) => isOlder(path, nowMs - draftRetentionMs)),
  ]);
  const unwanted = [...excess, ...[...others, ...drafts].filter((_, index) => old[index])];
  for (const path of unwanted) await rm(path, { force: true });
  return unwanted.length;
}

const isOlder = (path: string, thanMs: number): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs < thanMs,
    () => false,
  );

/** Paths, oldest first, because names begin with the time. A folder that does not exist has none. */
const listMails = async (folder: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
