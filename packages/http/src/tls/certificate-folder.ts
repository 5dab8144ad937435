import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

const lockStaleMs = 10_000;
const lockPollMs = 50;

/** Reads a file; null if it does not exist. Throws an OperatorError if it cannot be read. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isFileError(error) && error.code === "ENOENT") return null;
    throw new OperatorError(`${path} cannot be read: ${isFileError(error) ? error.code : error}.`);
  }
}

/** Replaces a file atomically, even if the process crashes. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Runs `work` under an exclusive lock file. Removes a lock file older than ten seconds: the work takes far less time,
 * so the owner must have crashed.
 */
export async function withLockFile<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  while (!(await acquire(lockFile))) {
    const heldSinceMs = await stat(lockFile).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - heldSinceMs > lockStaleMs) await rm(lockFile, { force: true });
    else await sleep(lockPollMs);
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function acquire(lockFile: string): Promise<boolean> {
  try {
    await (await open(lockFile, "wx")).close();
    return true;
  } catch (error) {
    if (isFileError(error) && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Whether an error comes from the file system: no space, no permission, read-only. */
export const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;
