import Type, { type TSchema } from "typebox";

// What the documents of several of the operators' routes have in common.

export const closed = { additionalProperties: false };
export const time = Type.String({ format: "date-time" });
export const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const timeOrNull = (description: string) => orNull(time, description);

export const UserId = Type.Object({ user_id: Type.Integer({ description: "Identifier of the account." }) });

export const before = Type.Optional(
  Type.Integer({ minimum: 1, description: "Only ids below: `next` of the page before." }),
);
export const next = orNull(Type.Integer(), "What `before` takes for the next page; null on the last one.");
export const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

export const listLimit = 50;

/** A page of at most `listLimit` of `found`, of which one more was read. */
export function pageOf<Item extends { id: number }>(found: readonly Item[]): { items: Item[]; next: number | null } {
  const items = found.slice(0, listLimit);
  return { items, next: found.length > listLimit ? (items.at(-1)?.id ?? null) : null };
}

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
