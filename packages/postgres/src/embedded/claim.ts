import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { dataDirLock, locksDir, prepareDataDir, unwritable } from "./data-dir.ts";
import { rememberDataFolder } from "./data-folder.ts";

/**
 * Makes this process the only server of the data folder, until `release` or until the process ends, even by a kill.
 * Throws an OperatorError if another process is the server. The message names the folder and that process, and ends
 * with `remedy`.
 */
export async function claimDataDir(
  dataDir: string,
  remedy = "Stop it, or give this one a DATA_DIR of its own.",
): Promise<{ release(): Promise<void> }> {
  const folder = resolve(dataDir);
  await prepareDataDir(folder);
  await rememberDataFolder(folder);
  const pidFile = join(folder, locksDir, "server.pid");
  const lock = dataDirLock(folder, "server");
  if (!lock.tryExclusive()) {
    lock.close();
    const pid = (await readFile(pidFile, "utf8").catch(() => "")).trim();
    throw new OperatorError(
      `Another server${pid === "" ? "" : ` (process ${pid})`} already runs on DATA_DIR ${folder}. ${remedy}`,
    );
  }
  try {
    await rm(pidFile, { force: true }); // a file of root could not be overwritten, but can be removed
    await writeFile(pidFile, `${process.pid}\n`);
  } catch (cause) {
    lock.close();
    throw unwritable(folder, cause);
  }
  return {
    release: async () => {
      await rm(pidFile, { force: true });
      lock.close();
    },
  };
}
