import Type, { type Static, type TSchema } from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { findAccountNames } from "../../resources/users/all-accounts.ts";

// Schemas that several of the operators' routes share.

export const closed = { additionalProperties: false };
export const time = Type.String({ format: "date-time" });
export const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const timeOrNull = (description: string) => orNull(time, description);

export const AccountReference = Type.Object(
  {
    user_id: Type.Integer(),
    email: orNull(
      Type.String(),
      "The e-mail address. Null for an organisation, and for a producer without an account.",
    ),
    organisation: orNull(Type.String(), "The username of an organisation. Null for any other account."),
  },
  { $id: "AccountReference", ...closed },
);

/** Reads the names of accounts in one statement. Returns a function from an account's id to its reference. */
export async function accountReferences(
  db: Queryable,
  ids: readonly number[],
): Promise<(userId: number) => Static<typeof AccountReference>> {
  const names = await findAccountNames(db, ids);
  return (userId) => ({ user_id: userId, ...(names.get(userId) ?? { email: null, organisation: null }) });
}

export const reason = Type.String({
  minLength: 1,
  maxLength: 300,
  description: "The reason as a sentence, which the account's owner reads.",
});

export const UserId = Type.Object({ user_id: Type.Integer({ description: "Identifier of the account." }) });

export const before = Type.Optional(
  Type.Integer({ minimum: 1, description: "Only items with a lower id: the `next` of the previous page." }),
);
export const next = orNull(Type.Integer(), "The `before` of the next page. Null on the last page.");
export const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

export const listLimit = 50;

/** The first `listLimit` rows, and the id for the next page. The caller reads `listLimit + 1` rows. */
export function pageOf<Item extends { id: number }>(rows: readonly Item[]): { items: Item[]; next: number | null } {
  const items = rows.slice(0, listLimit);
  return { items, next: rows.length > listLimit ? (items.at(-1)?.id ?? null) : null };
}

export const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;
