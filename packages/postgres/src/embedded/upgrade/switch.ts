import { lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";

// The clusters of a data folder show the state of its upgrade. There is no other record, which could contradict them:
//   postgres                                    no upgrade, or one that has just started
//   postgres, postgres.next                     copying, or interrupted while copying
//   postgres.previous, postgres.next            switching: the copy has passed its checks
//   postgres, postgres.previous                 complete; the old cluster still exists

/** The name of the copy before the switch. */
export const nextName = "postgres.next";
/** The name of the old cluster after the switch. */
export const previousName = "postgres.previous";

/** Replaces the old cluster by the copy and renames the old cluster. The servers of both must be stopped. */
export async function switchClusters(dataDir: string): Promise<void> {
  await rename(join(dataDir, "postgres"), join(dataDir, previousName));
  await syncFolder(dataDir);
  await finishSwitch(dataDir);
}

/** Finishes a switch that was interrupted between its two renames. Otherwise does nothing. */
export async function finishSwitch(dataDir: string): Promise<void> {
  if (!(await isInSwitch(dataDir))) return;
  await rename(join(dataDir, nextName), join(dataDir, "postgres"));
  await syncFolder(dataDir);
}

/** Whether a switch was interrupted between its two renames. */
export async function isInSwitch(dataDir: string): Promise<boolean> {
  const [current, next, previous] = await Promise.all(
    ["postgres", nextName, previousName].map((name) => isThere(join(dataDir, name))),
  );
  return !current && next === true && previous === true;
}

/** Whether the path exists. True for a link without a target. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
  );

/** Makes renames in a folder durable. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
