import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chown, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

const minKeyLength = 32;

/** One key a line, the newest first. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret-key");

/** The keys of the file, which is created if needed. `link` never overwrites, so of two processes the first one wins. */
export async function openKeyFile(dataDir: string): Promise<string[]> {
  const existing = readKeyFile(dataDir);
  if (existing !== null) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = keyFile(dataDir);
  const draft = await writeDraft(file, [newKey()]);
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  const created = readKeyFile(dataDir);
  if (created === null)
    throw new OperatorError(`No key could be kept in ${file}. Make the folder writable, or set SECRET_KEY.`);
  return created;
}

/** Puts a new key before those of the file. */
export const addKey = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, [newKey(), ...(readKeyFile(dataDir) ?? [])]);

/** Keeps the newest key, which seals, and the one before, which signed the portal's sessions. */
export const keepTwoKeys = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, (readKeyFile(dataDir) ?? []).slice(0, 2));

/** Null: there is no file. Throws an OperatorError for one that is damaged. */
export function readKeyFile(dataDir: string): string[] | null {
  const file = keyFile(dataDir);
  try {
    const keys = readFileSync(file, "utf8").trim().split(/\s+/);
    if (keys.some((key) => key.length < minKeyLength))
      throw new OperatorError(
        `${file} is damaged. Restore it from a backup, or set SECRET_KEY; the secrets sealed under it need it.`,
      );
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces the file at once, so that a process that is killed leaves the old one or the new one. It keeps its owner. */
async function replaceKeys(dataDir: string, keys: readonly string[]): Promise<void> {
  const file = keyFile(dataDir);
  const { uid, gid } = await stat(file);
  const draft = await writeDraft(file, keys);
  if (process.getuid?.() === 0) await chown(draft, uid, gid);
  await rename(draft, file);
}

async function writeDraft(file: string, keys: readonly string[]): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${keys.join("\n")}\n`, { mode: 0o600, flush: true });
  return draft;
}

const newKey = (): string => randomBytes(32).toString("base64");
