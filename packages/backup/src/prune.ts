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

export interface PruneResult {
  backups: string[];
  segments: number;
  objects: number;
}

const hashBytes = 32;

/**
 * Deletes files that no moment after `since` needs. Keeps the newest backup before `since` and all later backups;
 * always keeps the newest backup. Deletes the segments of the log before the oldest of these backups. Deletes objects
 * that none of these backups lists, if they were copied before the oldest one began. Throws VaultUnavailable; the next
 * call deletes the rest.
 */
export async function prune(vault: Vault, since: Date, now: Date): Promise<PruneResult> {
  const backupList = await readBackupList(vault);
  const pruned: PruneResult = { backups: [], segments: 0, objects: 0 };
  const before = backupList.backups.findLastIndex(({ ended_at }) => new Date(ended_at) <= since);
  const keptBackups = backupList.backups.slice(Math.max(0, before));
  const [oldest] = keptBackups;
  const keptIds = new Set(keptBackups.map(({ id }) => id));
  const finishedIds = new Set(backupList.backups.map(({ id }) => id));
  const otherFiles: string[] = [];
  for await (const { key, putAt } of vault.list(backupsPrefix)) {
    const id = idInName(key);
    if (keptIds.has(id) || (!finishedIds.has(id) && now.getTime() - putAt.getTime() < unfinishedMs)) continue;
    // Deletes the manifests first, so that no listed backup lacks a file.
    if (key.endsWith("/manifest")) await vault.delete(key);
    else otherFiles.push(key);
    if (!pruned.backups.includes(id)) pruned.backups.push(id);
  }
  for (const key of otherFiles) await vault.delete(key);
  await vault.deleteDrafts(new Date(now.getTime() - unfinishedMs));
  if (oldest === undefined) return pruned;
  pruned.segments = await pruneLogs(vault, keptBackups, now);
  pruned.objects = await pruneObjects(vault, keptBackups, new Date(oldest.started_at));
  return pruned;
}

/**
 * Compares the positions of segments regardless of their timelines, because backups after a restore need the log of
 * earlier timelines. Deletes the log of a cluster without backups, unless a backup may be in progress.
 */
async function pruneLogs(vault: Vault, keptBackups: readonly Backup[], now: Date): Promise<number> {
  const firsts = new Map<string, number>();
  for (const { database } of keptBackups)
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

async function pruneObjects(vault: Vault, keptBackups: readonly Backup[], copiedBefore: Date): Promise<number> {
  const lists = await Promise.all(keptBackups.map(({ id }) => sortedHashes(vault, id)));
  let count = 0;
  try {
    for await (const { sha256, putAt } of copiedObjects(vault)) {
      // Advances every list to this hash, even if an earlier list has it.
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
  /** Whether the backup lists an object. Call this with ascending hashes. */
  has(sha256: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Reads the list of objects of a backup, in constant memory. */
async function sortedHashes(vault: Vault, id: string): Promise<HashList> {
  const content = await vault.get(objectListName(id));
  if (content === null)
    throw new OperatorError(
      `The backup ${id} in ${vault.place} lacks its list of objects, so nothing is deleted. \`beatmarket backup verify\` says what else is missing.`,
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
