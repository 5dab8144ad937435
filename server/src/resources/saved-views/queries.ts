import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";

/** A named filter of the request log. */
export interface SavedView {
  id: number;
  /** Unique among the person's views of the account. Upper and lower case are equal. */
  name: string;
  /** The query string of the page's address, such as `class=4xx&last=24h`. */
  query: string;
}

type Fields = Pick<SavedView, "name" | "query">;

/** The owner of views: a person, and the account whose log the person reads. */
export interface ViewOwner {
  userId: number;
  personId: number;
}

/** The maximum number of views of a person in an account. */
export const maxSavedViews = 50;

/** Returns the person's views of the account's log, sorted by name. */
export async function listViews(db: Queryable, owner: ViewOwner): Promise<SavedView[]> {
  return db
    .selectFrom("saved_views")
    .select(["id", "name", "query"])
    .where(belongsTo(owner))
    .orderBy(sql`lower(name)`)
    .execute();
}

/** Creates a view. Throws 409 for the name of another view, and for a 51st view. */
export async function createView(db: Queryable, owner: ViewOwner, view: Fields, now: Date): Promise<SavedView> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, owner.userId);
    const views = await listViews(transaction, owner);
    if (views.length >= maxSavedViews)
      throw conflict(`You have ${maxSavedViews} saved views, the maximum; delete one that you do not need.`);
    requireUniqueName(views, view.name, undefined);
    return transaction
      .insertInto("saved_views")
      .values({ ...columnsOf(owner), name: view.name, query: view.query, created_at: now })
      .returning(["id", "name", "query"])
      .executeTakeFirstOrThrow();
  });
}

/**
 * Changes the name or the filters of a view. Throws 404 for a view of another person or account, and 409 for the name
 * of another view.
 */
export async function changeView(
  db: Queryable,
  owner: ViewOwner,
  id: number,
  change: { name?: string | undefined; query?: string | undefined },
): Promise<SavedView> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, owner.userId);
    const views = await listViews(transaction, owner);
    const view = views.find((each) => each.id === id);
    if (view === undefined) throw unknownView(id);
    const { name, query } = { name: change.name ?? view.name, query: change.query ?? view.query };
    requireUniqueName(views, name, id);
    await transaction.updateTable("saved_views").set({ name, query }).where("id", "=", id).execute();
    return { id, name, query };
  });
}

/** Deletes a view. Throws 404 for a view of another person or account. */
export async function deleteView(db: Queryable, owner: ViewOwner, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("saved_views")
    .where("id", "=", id)
    .where(belongsTo(owner))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unknownView(id);
}

/** Deletes the views of an erased user's log, and the user's views of other accounts' logs. */
export async function eraseViews(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .deleteFrom("saved_views")
    .where(({ eb, or }) => or([eb("user_id", "=", userId), eb("person_id", "=", userId)]))
    .execute();
}

const columnsOf = ({ userId, personId }: ViewOwner) => ({
  user_id: userId,
  person_id: personId === userId ? null : personId,
});

const belongsTo = ({ userId, personId }: ViewOwner) =>
  sql<boolean>`user_id = ${userId} and coalesce(person_id, user_id) = ${personId}`;

function requireUniqueName(views: readonly SavedView[], name: string, id: number | undefined): void {
  const other = views.find((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase());
  if (other !== undefined) throw conflict(`There is a view “${other.name}” already; choose another name.`);
}

const unknownView = (id: number) => notFound(`There is no saved view ${id} in your account.`);
