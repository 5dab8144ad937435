import { timestamp } from "@beatmarket/http/formats.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { readEntries } from "@beatmarket/transparency-log/log-reader.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { decodeLeaf, encodeLeaf, type Leaf } from "./entry.ts";
import { readEntriesOf } from "./leaves.ts";

interface Published {
  /** The size up to which the database has recorded its leaves as published. */
  from: number;
  /** The size of the published log. */
  size: number;
  now: Date;
}

const noSalt = Buffer.alloc(0);

/**
 * If the published log has leaves that the database does not have, the database was restored to an earlier moment.
 * Takes these leaves over as they are published, adds a leaf that names them as lost, and moves its own new leaves
 * after that one. So the log continues from its checkpoint. Returns the number of lost leaves; 0 if the process was
 * killed between the checkpoint and its record.
 */
export const reconcile = (db: Queryable, files: LogFiles, published: Published): Promise<number> =>
  transact(db, async (transaction) => {
    await sql`select lock_commit_order()`.execute(transaction);
    const { from, size, now } = published;
    const own = await readEntriesOf(transaction, from, size - from);
    const publishedLeaves: Buffer[] = [];
    for await (const entry of readEntries(from, size, files.read)) publishedLeaves.push(entry);
    const first = publishedLeaves.findIndex((entry, index) => own[index]?.equals(entry) !== true);
    if (first === -1) return 0;
    const lostLeaves = publishedLeaves.slice(first);
    const begin = from + first;
    const last = decodeLeaf(publishedLeaves.at(-1) as Buffer);
    const at = new Date(Math.max(now.getTime(), Date.parse(last?.time ?? "") || 0));
    await moveBehind(transaction, { begin, by: lostLeaves.length + 1, at });
    const leaf: Leaf = { v: 1, kind: "lost", time: timestamp(at), from: begin, to: size };
    const entries = [...lostLeaves, encodeLeaf(leaf)];
    await transaction
      .insertInto("license_log")
      .values(
        entries.map((entry, index) => ({
          index: begin + index,
          kind: decodeLeaf(entry)?.kind ?? "lost",
          beat_id: decodeLeaf(entry)?.beat ?? null,
          order_id: null,
          at: new Date(decodeLeaf(entry)?.time ?? at),
          salt: noSalt,
          entry,
        })),
      )
      .execute();
    return lostLeaves.length;
  });

async function moveBehind(
  transaction: Queryable,
  { begin, by, at }: { begin: number; by: number; at: Date },
): Promise<void> {
  // In two steps, since each index must be unique at any moment.
  await sql`update license_log set index = -1 - index where index >= ${begin}`.execute(transaction);
  await sql`update license_log set index = -1 - index + ${by}, at = greatest(at, date_trunc('second', ${at}::timestamptz))
            where index < 0`.execute(transaction);
}
