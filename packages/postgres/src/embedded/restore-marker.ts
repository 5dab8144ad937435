import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The name of the marker, which a data folder has while a restore fills it. */
const markerFile = "restore-unfinished.json";

/** Marks that a restore from `vault` is filling the data folder, until `unmarkRestore`. */
export async function markRestore(dataDir: string, vault: string): Promise<void> {
  await writeFile(join(dataDir, markerFile), `${JSON.stringify({ vault })}\n`, { mode: 0o600 });
}

export async function unmarkRestore(dataDir: string): Promise<void> {
  await rm(join(dataDir, markerFile), { force: true });
}

/** The vault of an unfinished restore of the data folder. Null if there is none. */
export async function findUnfinishedRestore(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, markerFile), "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as { vault: string }).vault;
}

/** Throws an OperatorError with the remedy if the data folder has an unfinished restore. */
export async function requireRestored(dataDir: string): Promise<void> {
  const vault = await findUnfinishedRestore(dataDir);
  if (vault !== null)
    throw new OperatorError(
      `DATA_DIR ${dataDir} holds a restore from ${vault} that did not end. Run beatmarket backup restore again, which starts from the beginning, or set DATA_DIR to another folder.`,
    );
}
