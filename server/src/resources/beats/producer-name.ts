import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { searchVector } from "../../text/search-words.ts";

const batch = 1_000;

/** Updates the search vectors of a producer's beats to the new name. */
export async function renameProducerOfBeats(db: Queryable, userId: number, producerName: string): Promise<void> {
  let after = 0;
  for (;;) {
    const beats = await db
      .selectFrom("beats")
      .select(["id", "title"])
      .where("user_id", "=", userId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batch)
      .execute();
    if (beats.length === 0) return;
    const vectors = beats.map(({ title }) =>
      searchVector([
        { text: title, weight: "A" },
        { text: producerName, weight: "B" },
      ]),
    );
    await sql`
      update beats set search = renamed.search::tsvector
      from unnest(${beats.map(({ id }) => id)}::bigint[], ${vectors}::text[]) as renamed (id, search)
      where beats.id = renamed.id`.execute(db);
    after = beats.at(-1)?.id ?? after;
  }
}
