import { Attempts } from "@beatmarket/authentication/attempts.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { sweepAuth } from "./context.ts";
import { createMailLink, findMailLink } from "./mail-links.ts";

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 1);

test("a sweep deletes expired rows and keeps the others", async () => {
  const { query, driver } = await testDatabase();
  const old = await createMailLink(query, { purpose: "reset", email: "a@example.com" }, nowMs - hourMs - 1);
  const young = await createMailLink(query, { purpose: "reset", email: "b@example.com" }, nowMs);
  const limit = { limit: 1, windowSeconds: 60 };
  await new Attempts(query, new FakeClock(nowMs - hourMs)).count("old", limit);
  await new Attempts(query, new FakeClock(nowMs)).count("young", limit);
  await driver`
    with person as (insert into users (username, display_name) values ('s', 's') returning id),
         account as (
           insert into portal_users (id, user_id, name, email, email_verified, created_at, updated_at)
           select 'a', id, 's', 's@example.com', true, now(), now() from person returning id)
    insert into portal_sessions (id, user_id, token, expires_at, created_at, updated_at)
    select * from (values ('idle', 'a', 'x', ${new Date(nowMs - 1)}::timestamptz, now(), now()),
                          ('old', 'a', 'z', ${new Date(nowMs + 1)}::timestamptz, ${new Date(nowMs - 30 * 24 * hourMs - 1)}, now()),
                          ('open', 'a', 'y', ${new Date(nowMs + 1)}::timestamptz, ${new Date(nowMs)}, now())) sessions
    where exists (select from account)`;
  await sweepAuth(query, nowMs);
  expect(await findMailLink(query, "reset", old, nowMs - hourMs)).toBeNull();
  expect(await findMailLink(query, "reset", young, nowMs)).not.toBeNull();
  const subjects = await query.selectFrom("portal_attempts").select("subject").execute();
  expect(subjects.map(({ subject }) => subject)).toEqual(["young"]);
  const sessions = await query.selectFrom("portal_sessions").select("id").execute();
  expect(sessions.map(({ id }) => id)).toEqual(["open"]);
});
