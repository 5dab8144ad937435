import type { Queryable } from "../../database/connect.ts";
import type { NewMail } from "./outbox.ts";

/** All operators with an address. */
export async function operatorsOf(db: Queryable): Promise<Pick<NewMail, "userId" | "to">[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "email"])
    .where("operator", "=", true)
    .where("email", "is not", null)
    .$narrowType<{ email: string }>()
    .orderBy("id")
    .execute();
  return rows.map(({ id, email }) => ({ userId: id, to: email }));
}
