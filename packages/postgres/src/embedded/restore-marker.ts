import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** In a data folder while a restore fills it. */
const markerFile = "restore-unfinished.json";

/** Says that a restore fills the data folder, until `unmarkRestore`. `vault` names where it comes from. */
export async function markRestore(dataDir: string, vault: string): Promise<void> {
  await writeFile(join(dataDir, markerFile), `${JSON.stringify({ vault })}\n`, { mode: 0o600 });
}

export async function unmarkRestore(dataDir: string): Promise<void> {
  await rm(join(dataDir, markerFile), { force: true });
}

/** The vault of the restore that has begun to fill the data folder and did not end; null without one. */
export async function findUnfinishedRestore(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, markerFile), "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as { vault: string }).vault;
}

/** Throws an OperatorError that says what to do when the data folder holds half of a restore. */
export async function requireRestored(dataDir: string): Promise<void> {
  const vault = await findUnfinishedRestore(dataDir);
  if (vault !== null)
    throw new OperatorError(
      `DATA_DIR ${dataDir} holds a restore from ${vault} that did not end. Run beatmarket backup restore again, which begins it anew, or set DATA_DIR to another folder.`,
    );
}
