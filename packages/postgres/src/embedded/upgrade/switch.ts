import { lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";

// Which clusters a data folder has says how far its upgrade is; no other record could contradict them:
//   postgres                                    none, or one that copies
//   postgres, postgres.next                     one that copies, or was cut short
//   postgres.previous, postgres.next            one that switches: the copy has passed its checks
//   postgres, postgres.previous                 done; the old cluster is kept

/** The copy, until it takes the old cluster's place. */
export const nextName = "postgres.next";
/** The old cluster, after that. */
export const previousName = "postgres.previous";

/** Puts the copy into the place of the old cluster, which is kept. No server runs on either. */
export async function switchClusters(dataDir: string): Promise<void> {
  await rename(join(dataDir, "postgres"), join(dataDir, previousName));
  await syncFolder(dataDir);
  await finishSwitch(dataDir);
}

/** Finishes a switch that was cut short between its two renames; else does nothing. */
export async function finishSwitch(dataDir: string): Promise<void> {
  if (!(await isInSwitch(dataDir))) return;
  await rename(join(dataDir, nextName), join(dataDir, "postgres"));
  await syncFolder(dataDir);
}

/** Whether a switch was cut short between its two renames. */
export async function isInSwitch(dataDir: string): Promise<boolean> {
  const [current, next, previous] = await Promise.all(
    ["postgres", nextName, previousName].map((name) => isThere(join(dataDir, name))),
  );
  return !current && next === true && previous === true;
}

/** Whether the path names something, be it a link without a target. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
  );

/** After it, no power cut takes back a rename. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
