import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { permissions } from "../access/permissions.ts";
import type { Queryable } from "../database/connect.ts";
import { isWellFormed, sha256 } from "../resources/api-keys/key-format.ts";
import {
  type ApiKey,
  createKey,
  findKeyBySha256,
  isExpired,
  listKeys,
  maxActiveKeys,
  revokeKey,
} from "../resources/api-keys/queries.ts";

/**
 * The demo account's key for this data folder, kept in `DATA_DIR/demo-key` (mode 0600): plan plus, all permissions.
 * If the file is missing or its key is no longer valid, creates a new key and revokes the previous key of this machine.
 * Call it from one process at a time.
 */
export async function demoKey(db: Queryable, userId: number, dataDir: string, clock: Clock): Promise<string> {
  const path = join(dataDir, "demo-key");
  const now = new Date(clock.nowMs());
  const kept = await readKept(path);
  if (kept !== null && isWellFormed(kept)) {
    const known = await findKeyBySha256(db, sha256(kept));
    if (known?.userId === userId && isActive(known, now)) return kept;
  }
  const name = `Demo key of ${hostname()}`.slice(0, 100);
  await revokeLost(db, userId, name, now);
  const { key } = await createKey(db, { userId, name, plan: "plus", permissions, expiresAt: null }, now);
  await keep(path, key);
  return key;
}

/** Revokes lost keys of this machine. Other machines on the same database keep theirs, up to the limit of keys. */
async function revokeLost(db: Queryable, userId: number, name: string, now: Date): Promise<void> {
  const keys = await listKeys(db, { ownerId: userId }, { limit: 100 });
  const lost = keys
    .filter((key) => isActive(key, now))
    .filter((key, newer) => key.name === name || newer >= maxActiveKeys - 1);
  for (const { id } of lost) await revokeKey(db, id, { ownerId: userId }, now);
}

const isActive = (key: ApiKey, now: Date): boolean => key.revokedAt === null && !isExpired(key, now);

async function readKept(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new OperatorError(`The demo key in ${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Writes the file atomically, and never readable for other users. */
async function keep(path: string, key: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    throw new OperatorError(`The demo key cannot be kept in ${path}: ${(error as Error).message}.`);
  }
}
