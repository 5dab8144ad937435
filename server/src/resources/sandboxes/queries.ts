import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Selectable } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { SandboxesTable } from "../../database/tables.ts";
import { lockUser } from "../audit/lock-user.ts";
import { idleDays, maxSandboxes } from "./limits.ts";

/** A row of the table: the test mode of an account, or a sandbox with its own time. */
export interface Sandbox extends Omit<Selectable<SandboxesTable>, "kind"> {
  kind: "test" | "sandbox";
}

export type NewSandbox = Pick<Sandbox, "id" | "user_id" | "kind" | "seed" | "catalogue">;

const markIntervalMs = 60_000;

const select = (db: Queryable) =>
  db.selectFrom("sandboxes").selectAll().where("deleted_at", "is", null).$narrowType<Pick<Sandbox, "kind">>();

/** Returns a sandbox. `suspension_reason` is the reason why its account is suspended, or null. */
export const findSandbox = (
  db: Queryable,
  id: string,
): Promise<(Sandbox & { suspension_reason: string | null }) | undefined> =>
  db
    .selectFrom("sandboxes")
    .innerJoin("users", "users.id", "sandboxes.user_id")
    .selectAll("sandboxes")
    .select("users.suspension_reason")
    .where("sandboxes.id", "=", id)
    .where("sandboxes.deleted_at", "is", null)
    .$narrowType<Pick<Sandbox, "kind">>()
    .executeTakeFirst();

export const findTestMode = (db: Queryable, userId: number): Promise<Sandbox | undefined> =>
  select(db).where("user_id", "=", userId).where("kind", "=", "test").executeTakeFirst();

/** Returns the account's sandboxes without its test mode, oldest first. */
export const listSandboxes = (db: Queryable, userId: number): Promise<Sandbox[]> =>
  select(db).where("user_id", "=", userId).where("kind", "=", "sandbox").orderBy("created_at").orderBy("id").execute();

/**
 * Inserts a sandbox or a test mode. Returns the existing row if the account already has a test mode. Throws 409 for a
 * sixth sandbox.
 */
export async function addSandbox(db: Queryable, sandbox: NewSandbox, now: Date): Promise<Sandbox> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, sandbox.user_id);
    const testMode = sandbox.kind === "test" ? await findTestMode(transaction, sandbox.user_id) : undefined;
    if (testMode !== undefined) return testMode;
    if (sandbox.kind === "sandbox" && (await listSandboxes(transaction, sandbox.user_id)).length >= maxSandboxes)
      throw conflict(`The account has ${maxSandboxes} sandboxes, the most it may have. Delete one first.`);
    const row = { ...sandbox, created_at: now, used_at: now, deleted_at: null };
    await transaction.insertInto("sandboxes").values(row).execute();
    return row;
  });
}

/** Records that a request reached a sandbox, at most once a minute. */
export async function markUsed(db: Queryable, { id, used_at }: Sandbox, now: Date): Promise<void> {
  if (used_at.getTime() + markIntervalMs > now.getTime()) return;
  await db.updateTable("sandboxes").set({ used_at: now }).where("id", "=", id).execute();
}

/** Marks a sandbox as deleted, so that no query finds it. Its row stays until its database is deleted. */
export async function markDeleted(db: Queryable, id: string, now: Date): Promise<void> {
  await db.updateTable("sandboxes").set({ deleted_at: now }).where("id", "=", id).execute();
}

/** Marks sandboxes as deleted after 30 days without a request. */
export async function expireIdle(db: Queryable, now: Date): Promise<void> {
  await db
    .updateTable("sandboxes")
    .set({ deleted_at: now })
    .where("kind", "=", "sandbox")
    .where("deleted_at", "is", null)
    .where("used_at", "<", new Date(now.getTime() - idleDays * 86_400_000))
    .execute();
}

/** Returns the ids of deleted sandboxes, whose databases have to be deleted. */
export async function listDeleted(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom("sandboxes").select("id").where("deleted_at", "is not", null).execute();
  return rows.map(({ id }) => id);
}

export async function forgetSandbox(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom("sandboxes").where("id", "=", id).where("deleted_at", "is not", null).execute();
}

/** Marks all sandboxes of an erased account as deleted. */
export async function eraseSandboxes(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await transaction
    .updateTable("sandboxes")
    .set({ deleted_at: now, seed: "" })
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
}
