import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

export interface Reader {
  userId: number;
  to: string;
}

/**
 * The recipients of mails about a beat: the producer, or the members of an organisation who may edit beats. Empty for a
 * producer that is not claimed.
 */
export async function producersOf(db: Queryable, producerId: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select id as "userId", email as "to" from users
    where email is not null and (id = ${producerId} or id in (
      select user_id from organisation_members where organisation_id = ${producerId} and role in ('owner', 'developer')))
    order by id`.execute(db);
  return rows;
}
