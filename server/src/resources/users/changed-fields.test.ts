import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { createAccount } from "./accounts.ts";
import { retireJoinedProducers } from "./joining.ts";
import { profileReference } from "./present.ts";
import { markProducer } from "./producers.ts";
import { eraseProfile, type ProfileChanges, updateProfile } from "./profile.ts";
import { findProfile } from "./queries.ts";

const { query: db, driver } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
let accounts = 0;
let userId = 0;

beforeEach(async () => {
  ({ id: userId } = await createAccount(db, { email: `user-${++accounts}@example.com`, name: `User ${accounts}` }));
});

const publicProfile = async () => profileReference(await findProfile(db, userId));

/**
 * Runs a change, and compares its event with the public profile before and after the change. Returns the changed
 * fields.
 */
async function expectEventOfChange(change: () => Promise<unknown>): Promise<string[]> {
  await driver`delete from events`;
  const before = await publicProfile();
  await change();
  const after = await publicProfile();
  const differing = Object.keys(after).filter((name) => before[name as never] !== after[name as never]);
  const events = await driver<{ type: string; payload: string }[]>`select type, payload from events`;
  expect(events.map(({ type }) => type)).toEqual(differing.length > 0 ? ["user.updated"] : []);
  for (const { payload } of events) expect(JSON.parse(payload).data).toEqual({ ...after, changed: differing });
  return differing;
}

const text = fc.constantFrom(null, "One", "Two");
const anyChange: fc.Arbitrary<ProfileChanges> = fc.record(
  {
    display_name: fc.constantFrom("One", "Two"),
    bio: text,
    location: text,
    website: text,
    avatar_url: text,
  },
  { requiredKeys: [] },
);

describe("user.updated", () => {
  test("contains the changed fields, for every field that the owner can change", async () => {
    await fc.assert(
      fc.asyncProperty(anyChange, async (change) => {
        await expectEventOfChange(() => updateProfile(db, { userId, requestId: null, now }, change));
      }),
      { numRuns: 60 },
    );
  });

  test("contains is_producer when an account becomes a producer, and is not sent again", async () => {
    const become = () => db.transaction().execute((transaction) => markProducer(transaction, userId, now));
    expect(await expectEventOfChange(become)).toEqual(["is_producer"]);
    expect(await expectEventOfChange(become)).toEqual([]);
  });

  test("contains everything that an erasure removes, including the username", async () => {
    const allFields = {
      display_name: "Ada",
      bio: "Bio",
      location: "Oslo",
      website: "https://a.example/",
      avatar_url: "https://a.example/",
    };
    await updateProfile(db, { userId, requestId: null, now }, allFields);
    await db.transaction().execute((transaction) => markProducer(transaction, userId, now));
    const erase = () =>
      db.transaction().execute((transaction) => eraseProfile(transaction, { userId, requestId: null, now }));
    expect(await expectEventOfChange(erase)).toEqual(["username", ...Object.keys(allFields), "is_producer"]);
  });

  test("contains is_producer of a claimed producer without beats", async () => {
    const { id } = await createAccount(db, { email: `claimer-${accounts}@example.com`, name: "Claimer" });
    await driver`update users set is_producer = true, email = null, import_name = 'Claimed', joined_user_id = ${id} where id = ${userId}`;
    expect(await expectEventOfChange(() => retireJoinedProducers(db, now))).toEqual(["is_producer"]);
    expect(await expectEventOfChange(() => retireJoinedProducers(db, now))).toEqual([]);
  });
});
