import { chownSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { FileLock } from "./file-lock.ts";

/** Inside the data folder. */
export const locksDir = "locks";

/**
 * Makes the data folder and the place of its locks. Throws an OperatorError that names the folder when that cannot
 * be done.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    // Passable for PostgreSQL's account when root makes it, and for nobody else's eyes.
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await mkdir(join(dataDir, locksDir), { recursive: true, mode: 0o700 });
    keepOwner(dataDir, locksDir);
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/** Opens one of the data folder's locks; `prepareDataDir` comes first. */
export function dataDirLock(dataDir: string, name: "server" | "cluster" | "openers" | "archiver"): FileLock {
  try {
    const lock = new FileLock(join(dataDir, locksDir, name));
    keepOwner(dataDir, join(locksDir, name));
    return lock;
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/** What root makes in somebody's data folder belongs to that somebody, who could not open it afterwards else. */
function keepOwner(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  if (uid !== 0) chownSync(join(dataDir, path), uid, gid);
}

/** What to tell when something in the data folder cannot be made. */
export function unwritable(dataDir: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(
    `DATA_DIR ${dataDir} cannot be written (${reason}). Make it writable for this account, or set DATA_DIR to a folder that is.`,
    { cause },
  );
}
