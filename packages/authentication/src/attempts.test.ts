import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { authenticationDatabase } from "../testing/authentication-database.ts";
import { Attempts } from "./attempts.ts";

const limit = { limit: 1, windowSeconds: 60 };

test("`refused` counts a subject for ten seconds after its refusal", async () => {
  const { query } = await authenticationDatabase();
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const attempts = new Attempts(query, clock);
  for (let tried = 0; tried < 2; tried++) await attempts.admits("a sign-in", limit);
  expect(attempts.refused).toBe(1);
  clock.advance(10_000);
  expect(attempts.refused).toBe(0);
});

test("a refusal is cached from the time of the request, not from the time of the database's response", async () => {
  const { query } = await authenticationDatabase();
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const attempts = new Attempts(query, clock);
  expect(await attempts.admits("a mail", limit)).toBe(true);
  const refused = attempts.admits("a mail", limit);
  clock.advance(60_000);
  expect(await refused).toBe(false);
  expect(await attempts.admits("a mail", limit)).toBe(true);
});
