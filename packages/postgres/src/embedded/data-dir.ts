import { chownSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { FileLock } from "./file-lock.ts";

/** The folder of the locks, relative to the data folder. */
export const locksDir = "locks";

/**
 * Creates the data folder and the folder of its locks. Throws an OperatorError that names the data folder if it cannot
 * be written.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    // If root creates the folder, PostgreSQL's account must be able to enter it. No one else may list it.
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await mkdir(join(dataDir, locksDir), { recursive: true, mode: 0o700 });
    takeFolderOwner(dataDir, locksDir);
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/** Opens a lock of the data folder. Requires a call of `prepareDataDir` before. */
export function dataDirLock(dataDir: string, name: "server" | "cluster" | "openers" | "archiver"): FileLock {
  try {
    const lock = new FileLock(join(dataDir, locksDir, name));
    takeFolderOwner(dataDir, join(locksDir, name));
    return lock;
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/** Gives a file that root created to the owner of the data folder, who could not open it otherwise. */
function takeFolderOwner(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  if (uid !== 0) chownSync(join(dataDir, path), uid, gid);
}

/** The error for a file or folder that cannot be created in the data folder. */
export function unwritable(dataDir: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(
    `DATA_DIR ${dataDir} cannot be written (${reason}). Make it writable for this account, or set DATA_DIR to a folder that is.`,
    { cause },
  );
}
