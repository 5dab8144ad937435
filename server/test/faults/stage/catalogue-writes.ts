import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sellExclusive } from "../../../src/resources/beats/licensing/exclusive.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";

/**
 * Changes the catalogue until `stopping`, in transactions of one to three random writes, some of them slow. A write
 * deletes a beat only if there are more than `fewestBeats`.
 */
export async function writeCatalogue(
  db: TestDatabase,
  fewestBeats: number,
  stopping: AbortSignal,
  counts: { written: number; failed: number },
): Promise<void> {
  const changes = changesOf(fewestBeats);
  while (!stopping.aborted) {
    try {
      await db.driver.begin(async (transaction) => {
        for (let n = 1 + randomInt(3); n > 0; n--) {
          await (changes[randomInt(changes.length)] as (typeof changes)[number])(transaction as never);
          if (randomInt(5) === 0) await sleep(randomInt(40));
        }
      });
      counts.written++;
    } catch {
      // PostgreSQL was killed, or it broke a deadlock of two writers. The transaction was rolled back.
      counts.failed++;
      await sleep(50);
    }
    await sleep(randomInt(20));
  }
}

type Change = (driver: TestDatabase["driver"]) => Promise<unknown>;
const anyBeat = "(select id from beats order by random() limit 1)";
const changesOf = (fewestBeats: number): readonly Change[] => [
  (driver) => driver.unsafe(`update beats set title = 'Title ' || gen_random_uuid() where id = ${anyBeat}`),
  (driver) => driver.unsafe(`update beats set price_cents = price_cents + 100 where id = ${anyBeat}`),
  (driver) =>
    driver.unsafe(
      "update beats set play_count = play_count + 1 where id in (select id from beats order by random() limit 40 for update)",
    ),
  (driver) =>
    driver.unsafe(`insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
      select user_id, genre_id, 'New ' || gen_random_uuid(), 90, 1000, 2000, 3000, 4000 from beats where id = ${anyBeat}`),
  (driver) =>
    driver.unsafe(`update beats set is_listed = not is_listed where id = ${anyBeat} and exclusive_state = 'available'`),
  (driver) =>
    driver.unsafe(`delete from beats where id = ${anyBeat} and (select count(*) from beats) > ${fewestBeats}`),
  (driver) =>
    driver.unsafe(
      "update users set display_name = 'Name ' || gen_random_uuid() where id = (select user_id from beats order by random() limit 1)",
    ),
  (driver) =>
    driver.unsafe(
      "update genres set name = 'Genre ' || gen_random_uuid() where id = (select id from genres order by random() limit 1)",
    ),
  (driver) =>
    driver.unsafe(
      `update beats set tags = array['tag' || (random() * 12)::int, 'mood' || (random() * 5)::int], tempo = 60 + random() * 120,
         genre_id = (select id from genres order by random() limit 1) where id = ${anyBeat}`,
    ),
  async (driver) => {
    const [beat] = await driver.unsafe<{ id: number }[]>(`select id from beats where id = ${anyBeat}`);
    if (beat !== undefined && randomInt(3) === 0)
      await sellExclusive(driver.db, { beatId: beat.id, orderId: 1, now: new Date() });
  },
];
