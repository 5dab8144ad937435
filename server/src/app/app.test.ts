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
