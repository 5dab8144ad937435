import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";

/** The device and inode of each data folder at the start of this process, by its path. */
const identities = new Map<string, string>();

const identityOf = async (folder: string): Promise<string> => {
  const { dev, ino } = await stat(folder);
  return `${dev} ${ino}`;
};

/**
 * Remembers the identity of a data folder. If another folder is later at this path, the disk of the data folder was
 * unmounted.
 */
export async function rememberDataFolder(dataDir: string): Promise<void> {
  identities.set(resolve(dataDir), await identityOf(dataDir));
}

/**
 * Creates a folder in DATA_DIR if it does not exist, and returns its path. Throws a 503 and creates nothing if DATA_DIR
 * is not the same folder as at the start of this process.
 */
export async function makeInDataFolder(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const before = identities.get(resolve(dataDir));
  if (before === undefined) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await rememberDataFolder(dataDir);
    return path;
  }
  const now = await identityOf(dataDir).catch(() => null);
  if (now !== before) throw unreachable(dataDir);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

const unreachable = (dataDir: string): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "A disk of the service is unreachable. Try again in a few seconds.",
    {
      headers: { "retry-after": "5" },
      cause: new OperatorError(
        `DATA_DIR ${dataDir} is not the same folder as at the start of this process. Mount its disk. If you replaced the folder on purpose, restart the service.`,
      ),
    },
  );
