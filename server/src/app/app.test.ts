import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";

test("closing writes the last calls into the log, even when the last plays cannot be written", async () => {
  const { app, database, get, request } = await testApi();
  const [beat = 0] = await insertBeats(database, [{}]);
  expect((await request({ method: "GET", url: `/media/beats/${beat}.wav` })).statusCode).toBe(200);
  expect((await get("/v1/genres")).statusCode).toBe(200);
  await database.driver`alter table beats rename to beats_away`;
  await app.close();
  expect((await readLogEntries(database)).map(({ operation }) => operation)).toEqual(["listGenres"]);
});

test("closing counts the orders that no total contains yet", async () => {
  // The clock stands still, so the background job counts only once.
  const { app, database, key, request } = await testApi({ clock: new FakeClock() });
  const [beat_id = 0] = await insertBeats(database, [{}]);
  const buy = () =>
    request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${key}` },
      payload: { beat_id, payment_method: "pm_card_visa", license_type: "basic" },
    });
  const counted = async () => (await database.driver`select sum(count)::int as orders from order_counts`)[0]?.orders;
  await buy();
  await app.start();
  await eventually(async () => expect(await counted()).toBe(1));
  await buy();
  await app.close();
  expect(await counted()).toBe(2);
});
