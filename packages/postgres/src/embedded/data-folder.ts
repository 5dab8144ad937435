import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";

/** The data folders that this process began with, as their disks know them. */
const known = new Map<string, string>();

const keyOf = async (folder: string): Promise<string> => {
  const { dev, ino } = await stat(folder);
  return `${dev} ${ino}`;
};

/** From now on another folder under this name is the mount point of a disk that is gone. */
export async function rememberDataFolder(dataDir: string): Promise<void> {
  known.set(resolve(dataDir), await keyOf(dataDir));
}

/**
 * Makes a folder in DATA_DIR, if it is not there, and returns its path. Throws 503 where DATA_DIR is not the folder that this process
 * began with, in which nothing is made then.
 */
export async function makeInDataFolder(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const before = known.get(resolve(dataDir));
  if (before === undefined) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await rememberDataFolder(dataDir);
    return path;
  }
  const now = await keyOf(dataDir).catch(() => null);
  if (now !== before) throw away(dataDir);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

const away = (dataDir: string): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "A disk of the service is away. Try again in a few seconds.",
    {
      headers: { "retry-after": "5" },
      cause: new OperatorError(
        `DATA_DIR ${dataDir} is not the folder that this process began with. Mount the disk that it is on; where it was replaced on purpose, restart the service.`,
      ),
    },
  );
