import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { deleteOldPlays, findReach, PlayCounter } from "./plays.ts";

const clock = new FakeClock();
const database = await testDatabase();
const { driver, query: db } = database;

let beat = 0;
let other = 0;
beforeEach(async () => {
  [beat = 0, other = 0] = await insertBeats(database, [{ playCount: 7 }, {}]);
});
const total = () =>
  driver<{ play_count: number }[]>`select play_count from producer_counts
    where user_id = (select user_id from beats where id = ${beat})`;
const playCounts = () => driver`select play_count from beats where id in (${beat}, ${other}) order by id`;

describe("plays", () => {
  it("count once per listener and beat in ten minutes, and add to the producer's total", async () => {
    const plays = new PlayCounter(db, clock);
    for (let repeat = 0; repeat < 5; repeat++) plays.add(beat, "192.0.2.1");
    // Both addresses are in one /64, so they are one listener.
    for (const address of ["2001:db8::1", "2001:db8:0:0:ffff::2"]) plays.add(beat, address);
    plays.add(other, "192.0.2.1");
    clock.advance(10 * 60_000 - 1);
    plays.add(beat, "192.0.2.1");
    clock.advance(1);
    plays.add(beat, "192.0.2.1");
    const [before] = await total();
    expect(await plays.flush()).toBe(true);
    expect(await playCounts()).toEqual([{ play_count: 10 }, { play_count: 1 }]);
    const [after] = await total();
    expect((after?.play_count ?? 0) - (before?.play_count ?? 0)).toBe(4);
    expect(await plays.flush()).toBe(false);
    expect(await playCounts()).toEqual([{ play_count: 10 }, { play_count: 1 }]);
  });

  it("are stored by day, shown with the sales for thirty days, and deleted after ninety", async () => {
    const plays = new PlayCounter(db, clock);
    plays.add(beat, "192.0.2.1");
    await plays.flush();
    clock.advance(86_400_000);
    for (const address of ["192.0.2.1", "192.0.2.2"]) plays.add(beat, address);
    await plays.flush();
    await driver`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, created_at, buyer_name)
      select user_id, ${beat}, 'Midnight', user_id, 'Ada', 'basic', 2990, 'USD', 'completed', ${clock.now()}, 'pm_card_visa',
        'sandbox', ${`reach-${beat}`}, ${clock.now()}, 'Eve' from beats where id = ${beat}`;
    const { days } = await findReach(db, beat, clock.now());
    expect(days).toHaveLength(30);
    expect(days.slice(-3).map(({ plays: heard, sales }) => [heard, sales])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(days.at(-1)?.day).toBe(clock.now().toISOString().slice(0, 10));
    await deleteOldPlays(db, new Date(clock.nowMs() + 90 * 86_400_000));
    expect(await driver`select plays from beat_plays where beat_id = ${beat}`).toEqual([{ plays: 2 }]);
  });

  it("of a beat that does not exist change nothing", async () => {
    const plays = new PlayCounter(db, clock);
    plays.add(987_654_321, "192.0.2.1");
    plays.add(beat, "192.0.2.1");
    await plays.flush();
    expect(await playCounts()).toEqual([{ play_count: 8 }, { play_count: 0 }]);
  });

  it("are written later if the first attempt fails", async () => {
    const plays = new PlayCounter(db, clock);
    plays.add(beat, "192.0.2.1");
    await driver`alter table beats rename to beats_away`;
    await expect(plays.flush()).rejects.toThrow("beats");
    await driver`alter table beats_away rename to beats`;
    plays.add(beat, "192.0.2.2");
    await plays.flush();
    expect(await playCounts()).toEqual([{ play_count: 9 }, { play_count: 0 }]);
  });
});
