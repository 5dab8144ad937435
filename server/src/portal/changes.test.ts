import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../test/harness/portal.ts";
import type { ChangelogEntry } from "../resources/changelog/entries.ts";
import { changesSince } from "./portal.ts";

const entry = (fields: Partial<ChangelogEntry>): ChangelogEntry => ({
  id: "price",
  date: "2026-11-26",
  title: "Price",
  text: "It is new.",
  kind: "changed",
  operations: ["listBeats", "getBeat"],
  events: [],
  ...fields,
});

describe("a change is shown", () => {
  test.each([
    ["before the change", "2026-11-25", ["listBeats"]],
    ["on its day", "2026-11-26", ["listBeats"]],
    ["after it", "2026-11-27", []],
  ])("depending on the day of the last call: %s", (_, day, operations) => {
    expect(changesSince([entry({})], new Map([["listBeats", day]])).flatMap((change) => change.operations)).toEqual(
      operations,
    );
  });

  test("only for operations that existed before it", () => {
    expect(changesSince([entry({ kind: "added" })], new Map([["listBeats", "2026-11-20"]]))).toEqual([]);
  });
});

describe("GET /api-changes", () => {
  const clock = new FakeClock(Date.UTC(2026, 10, 28, 12));
  let portal: TestPortal;
  let ada: SignedInVisitor;

  beforeAll(async () => {
    portal = await testPortal({ clock });
    ada = await portal.signUp();
  });

  const call = (userId: number, operation: string, time: string) =>
    writeLogEntries(portal.database, [logEntry({ timeMs: Date.parse(time), userId, apiKeyId: 7, operation })]);
  const idsOf = async (visitor: SignedInVisitor) =>
    (await visitor.get("/api-changes")).json().changes.map(({ id }: { id: string }) => id);

  test("200 and empty for an account without calls, even if another account has calls", async () => {
    await call(ada.userId + 1_000, "createOrder", "2026-11-25T08:00:00Z");
    expect((await ada.get("/api-changes")).json()).toEqual({ changes: [] });
  });

  test("200 with the changes since the last call of the operation, until the account calls it again", async () => {
    await call(ada.userId, "createOrder", "2026-11-25T08:00:00Z");
    await call(ada.userId, "listGenres", "2026-11-25T08:00:00Z");
    expect((await ada.get("/api-changes")).json()).toEqual({
      changes: [
        {
          id: "expected-amount",
          date: "2026-11-26",
          title: "Orders charge the price that the buyer agreed to",
          kind: "changed",
          path: "/changelog#expected-amount",
          operations: ["createOrder"],
        },
      ],
    });
    await call(ada.userId, "createOrder", "2026-11-27T08:00:00Z");
    expect(await idsOf(ada)).toEqual([]);
  });

  test("200 without changes for calls that the log no longer keeps", async () => {
    await call(ada.userId, "search", "2026-10-20T08:00:00Z");
    expect(await idsOf(ada)).toEqual([]);
    await call(ada.userId, "search", "2026-11-01T08:00:00Z");
    expect(await idsOf(ada)).toEqual(["nearest-tempos", "search-phrases", "date-filters", "filters"]);
  });

  test("401 without a session", async () => {
    const { statusCode } = await portal.api.request({ url: "/portal/api/api-changes" });
    expect(statusCode).toBe(401);
  });
});
