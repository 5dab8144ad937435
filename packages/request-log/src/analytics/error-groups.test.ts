import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { testCallLogs } from "../../testing/call-logs.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import type { RequestLogEntry } from "../entry.ts";
import { groupErrors } from "./error-groups.ts";

const database = await requestLogDatabase();
const nowMs = Date.UTC(2026, 0, 31, 13, 45, 30);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const userId = 1;
const range = { userId, fromMs: nowMs - dayMs, toMs: nowMs + 1 };

const stores = await testCallLogs(database, new FakeClock(nowMs));

describe.each(stores)("in $name", ({ log, write: writeEntries, empty }) => {
  beforeEach(empty);

  const write = (...calls: (Partial<RequestLogEntry> & { ageMs: number })[]) =>
    writeEntries(calls.map(({ ageMs, ...fields }) => ({ timeMs: nowMs - ageMs, userId, apiKeyId: 11, ...fields })));

  describe("failed calls", () => {
    it("are grouped by status, reason and operation, with exact times, last seen first", async () => {
      await write(
        { ageMs: 5 * hourMs, status: 400, refusedBy: "parameter:q", operation: "search" },
        { ageMs: 3 * hourMs, status: 400, refusedBy: "parameter:limit", operation: "search", path: "/v1/search" },
        { ageMs: 4 * hourMs, status: 403, refusedBy: "permission:orders:read" },
        { ageMs: 1_234, status: 403, refusedBy: "permission:orders:read", requestId: "newest" },
        { ageMs: 2 * hourMs, status: 404, operation: null },
        { ageMs: 0, status: 200 },
      );
      const { groups, isAll } = await groupErrors(log, range);
      expect(isAll).toBe(true);
      expect(
        groups.map(({ status, refusedBy, operation, calls, firstSeen, lastSeen, isNew }) => [
          status,
          refusedBy,
          operation,
          calls,
          nowMs - firstSeen.getTime(),
          nowMs - lastSeen.getTime(),
          isNew,
        ]),
      ).toEqual([
        [403, "permission:orders:read", "listBeats", 2, 4 * hourMs, 1_234, true],
        [404, "", "", 1, 2 * hourMs, 2 * hourMs, true],
        [400, "parameter", "search", 2, 5 * hourMs, 3 * hourMs, true],
      ]);
      expect(groups[0]?.latest.requestId).toBe("newest");
      expect(groups[2]?.latest.path).toBe("/v1/search");
    });

    it("of a day before the span make a group old, and first seen on that day", async () => {
      const fields = { status: 500, refusedBy: null };
      await write({ ageMs: 20 * dayMs, ...fields }, { ageMs: 3 * dayMs, ...fields }, { ageMs: hourMs, ...fields });
      const { groups } = await groupErrors(log, range);
      expect(groups).toMatchObject([{ calls: 1, firstSeen: new Date("2026-01-11T00:00:00.000Z"), isNew: false }]);
    });

    it("from before the span or of another account are left out, and so are calls that succeeded", async () => {
      await write(
        { ageMs: dayMs + 1, status: 500 },
        { ageMs: 0, status: 500, userId: 2 },
        { ageMs: 0, status: 304 },
        { ageMs: 0 },
      );
      expect(await groupErrors(log, range)).toEqual({ groups: [], isAll: true });
    });

    it("are not counted beyond the bound, which `isAll` reports", async () => {
      await write(...Array.from({ length: 5 }, (_, index) => ({ ageMs: index * minuteMs, status: 404 })));
      const { groups, isAll } = await groupErrors(log, range, { scanned: 3 });
      expect(groups).toMatchObject([{ calls: 3, firstSeen: new Date(nowMs - 2 * minuteMs) }]);
      expect(isAll).toBe(false);
    });
  });
});
