import { text } from "node:stream/consumers";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { testCallLogs } from "../testing/call-logs.ts";
import { requestLogDatabase } from "../testing/request-log-database.ts";
import type { CallFilter } from "./call-filter.ts";
import { type ExportBounds, exportCalls } from "./export-calls.ts";

const database = await requestLogDatabase();
const startMs = Date.UTC(2026, 0, 31, 13, 45, 30, 7);

const stores = await testCallLogs(database, new FakeClock(startMs));

describe.each(stores)("in $name", ({ log, write, empty }) => {
  beforeEach(empty);

  let permits = 0;
  async function exportLines(filter: CallFilter, bounds?: ExportBounds, method = "GET"): Promise<string[]> {
    const call = {
      context: { method },
      underPermit: (work: () => Promise<unknown>) => {
        permits++;
        return work();
      },
      closed: new AbortController().signal,
    };
    const { body } = await exportCalls(log, call as never, 1, filter, bounds);
    return (await text(body as never)).split("\r\n");
  }

  describe("calls as CSV", () => {
    it("have the time in UTC with milliseconds, and no formulas", async () => {
      await write([
        {
          timeMs: startMs,
          userId: 1,
          apiKeyId: 4711,
          requestId: "one",
          method: "POST",
          path: '=cmd|"/c calc"!A1',
          query: "+1",
          operation: null,
          status: 403,
          durationMs: 12.345,
          errorCode: "forbidden",
          refusedBy: "permission:orders:write",
        },
      ]);
      expect(await exportLines({})).toEqual([
        "time,request_id,status,method,path,query,operation,duration_ms,error_code,refused_by,key_id,key_name,version",
        '2026-01-31T13:45:30.007Z,"one",403,"POST","\'=cmd|""/c calc""!A1","\'+1",,12.345,forbidden,"permission:orders:write",4711,"",2026-11-20',
        "",
      ]);
    });

    it("are the account's calls that match the filter, newest first, with one permit per batch", async () => {
      await write(
        Array.from({ length: 2_600 }, (_, index) => ({
          timeMs: startMs + index,
          userId: index % 13 === 0 ? 2 : 1,
          apiKeyId: 11,
          requestId: `id-${index}`,
          status: index % 2 === 0 ? 200 : 404,
        })),
      );
      permits = 0;
      const rows = (await exportLines({ statusClass: 2 })).slice(1, -1);
      const expected = Array.from({ length: 2_600 }, (_, index) => 2_599 - index)
        .filter((index) => index % 13 !== 0 && index % 2 === 0)
        .map((index) => `"id-${index}"`);
      expect(rows.map((row) => row.split(",")[1])).toEqual(expected);
      expect(permits).toBe(2);
    });

    it("are limited, and the last row has the time before which calls are missing", async () => {
      await write(Array.from({ length: 20 }, (_, index) => ({ timeMs: startMs + index, userId: 1, apiKeyId: 11 })));
      const rows = await exportLines({}, { calls: 5, reads: 9 });
      expect(rows.slice(1, 6).map((row) => row.slice(0, 24))).toEqual(
        [26, 25, 24, 23, 22].map((ms) => `2026-01-31T13:45:30.0${ms}Z`),
      );
      expect(rows.slice(6)).toEqual([
        '"Not complete: calls before 2026-01-31T13:45:30.022Z are missing; narrow the time."',
        "",
      ]);
      expect((await exportLines({}, { calls: 20, reads: 9 })).at(-2)).not.toContain("Not complete");
    });

    it("have no body for HEAD", async () => {
      expect(await exportLines({}, undefined, "HEAD")).toEqual([""]);
    });
  });
});
