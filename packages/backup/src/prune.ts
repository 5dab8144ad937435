import { OperatorError } from "@beatmarket/foundation/errors.ts";
import {
  type Backup,
  backupsPrefix,
  idInName,
  objectListName,
  partsOfWalName,
  readBackupList,
  unfinishedMs,
  walPrefix,
} from "./backup-list.ts";
import { copiedObjects, objectName } from "./objects.ts";
import { BlockReader } from "./vault/blocks.ts";
import type { Vault } from "./vault/vault.ts";
import { isSegment, positionOf } from "./wal/segments.ts";

export interface Pruned {
  backups: string[];
  segments: number;
  objects: number;
}

const hashBytes = 32;

/**
 * Deletes what is needed for no moment since `since`: backups before the newest one that is older, segments of the log
 * before the oldest that is kept, and objects that no kept backup knows and that were not copied since then. The newest
 * backup is always kept. Throws VaultUnavailable; what is left then goes the next time.
 */
export async function prune(vault: Vault, since: Date, now: Date): Promise<Pruned> {
  const backupList = await readBackupList(vault);
  const pruned: Pruned = { backups: [], segments: 0, objects: 0 };
  const before = backupList.backups.findLastIndex(({ ended_at }) => new Date(ended_at) <= since);
  const kept = backupList.backups.slice(Math.max(0, before));
  const [oldest] = kept;
  const keptIds = new Set(kept.map(({ id }) => id));
  const finished = new Set(backupList.backups.map(({ id }) => id));
  const doomed: string[] = [];
  for await (const { key, putAt } of vault.list(backupsPrefix)) {
    const id = idInName(key);
    if (keptIds.has(id) || (!finished.has(id) && now.getTime() - putAt.getTime() < unfinishedMs)) continue;
    // Without its manifest there is no backup, so that goes first.
    if (key.endsWith("/manifest")) await vault.delete(key);
    else doomed.push(key);
    if (!pruned.backups.includes(id)) pruned.backups.push(id);
  }
  for (const key of doomed) await vault.delete(key);
  await vault.deleteDrafts(new Date(now.getTime() - unfinishedMs));
  if (oldest === undefined) return pruned;
  pruned.segments = await pruneLogs(vault, kept, now);
  pruned.objects = await pruneObjects(vault, kept, new Date(oldest.started_at));
  return pruned;
}

/**
 * Positions are compared on whatever the timeline: a restore goes back, and its backups begin where it branched off. The log
 * of a cluster without a backup goes with its last one, unless one may be under way.
 */
async function pruneLogs(vault: Vault, kept: readonly Backup[], now: Date): Promise<number> {
  const firsts = new Map<string, number>();
  for (const { database } of kept)
    if (database !== null)
      firsts.set(
        database.cluster,
        Math.min(positionOf(database.first_segment), firsts.get(database.cluster) ?? Number.POSITIVE_INFINITY),
      );
  let count = 0;
  for await (const { key, putAt } of vault.list(walPrefix)) {
    const { cluster, file } = partsOfWalName(key);
    const first = firsts.get(cluster);
    const isNeeded =
      first === undefined
        ? now.getTime() - putAt.getTime() < unfinishedMs
        : !isSegment(file) || positionOf(file) >= first;
    if (isNeeded) continue;
    await vault.delete(key);
    if (isSegment(file)) count++;
  }
  return count;
}

async function pruneObjects(vault: Vault, kept: readonly Backup[], copiedBefore: Date): Promise<number> {
  const lists = await Promise.all(kept.map(({ id }) => sortedHashes(vault, id)));
  let count = 0;
  try {
    for await (const { sha256, putAt } of copiedObjects(vault)) {
      // Every list is read on to this hash, also where an earlier one has it.
      const isKnown = (await Promise.all(lists.map((list) => list.has(sha256)))).includes(true);
      if (isKnown || putAt >= copiedBefore) continue;
      await vault.delete(objectName(sha256));
      count++;
    }
  } finally {
    for (const list of lists) await list.close();
  }
  return count;
}

interface HashList {
  /** Whether the backup knows an object. Asked for in ascending order. */
  has(sha256: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The objects that a backup knows, in memory that does not grow with their number. */
async function sortedHashes(vault: Vault, id: string): Promise<HashList> {
  const content = await vault.get(objectListName(id));
  if (content === null)
    throw new OperatorError(
      `The backup ${id} in ${vault.place} lacks its list of objects, so nothing is deleted. beatmarket backup verify says what else it lacks.`,
    );
  const reader = new BlockReader(content);
  const next = async (): Promise<string | null> => (await reader.read(hashBytes))?.toString("hex") ?? null;
  let current = await next();
  return {
    close: () => reader.close(),
    has: async (sha256) => {
      while (current !== null && current < sha256) current = await next();
      return current === sha256;
    },
  };
}
