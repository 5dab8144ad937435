import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testCallLogs } from "../testing/call-logs.ts";
import { logEntry } from "../testing/log-entries.ts";
import { requestLogDatabase } from "../testing/request-log-database.ts";
import type { CallFilter } from "./call-filter.ts";
import { findCall, listCalls } from "./calls.ts";
import type { RequestLogEntry } from "./entry.ts";

const database = await requestLogDatabase();
const me = 1;
const stranger = 2;
const startMs = Date.UTC(2026, 0, 1);
const stores = await testCallLogs(database, new FakeClock(startMs + 3_600_000));

const calls: Partial<RequestLogEntry>[] = [
  { requestId: "ok" },
  { requestId: "other-key", apiKeyId: 12 },
  { requestId: "found", path: "/v1/search", query: "q=Lo%20Fi+100%25", operation: "search" },
  {
    requestId: "bad",
    status: 400,
    errorCode: "invalid_request",
    errorDetails: "The genre parameter must be a valid integer.",
    refusedBy: "parameter:genre",
  },
  { requestId: "slow-down", status: 429, errorCode: "rate_limit_exceeded", refusedBy: "limit:minute" },
  { requestId: "broken", status: 500, errorCode: "server_error" },
  { requestId: "order", method: "POST", operation: "createOrder", path: "/api/v1/orders", status: 201 },
  { requestId: "nowhere", operation: null, path: "/v1/nowhere", status: 404, errorCode: "not_found" },
  { requestId: "agent", userAgent: "Acme'; drop table request_log -- _%\\" },
  { requestId: "unchanged", status: 304 },
];
const names = calls.map(({ requestId = "" }) => requestId);

describe.each(stores)("in $name", ({ log, write, ready }) => {
  beforeEach(ready);

  beforeAll(async () => {
    const entries = calls.map((fields, index) =>
      logEntry({ timeMs: startMs + index * 1000, userId: me, apiKeyId: 11, ...fields }),
    );
    await write([
      ...entries,
      ...entries.map((entry) => ({ ...entry, userId: stranger, apiKeyId: 21 })),
      logEntry({ timeMs: startMs, requestId: "of nobody" }),
    ]);
  });

  const list = async (filter: CallFilter = {}, page: Partial<Parameters<typeof listCalls>[3]> = {}) => {
    const { calls, ...rest } = await listCalls(log, me, filter, { limit: 50, ...page });
    return { ids: calls.map(({ requestId }) => requestId), ...rest };
  };

  describe("an account's calls", () => {
    it("are listed newest first, without other accounts' calls", async () => {
      expect(await list()).toEqual({ ids: names.toReversed(), next: null, searchedTo: null });
    });

    it.each([
      [{ statusClass: 2 }, ["agent", "order", "found", "other-key", "ok"]],
      [{ statusClass: 4 }, ["nowhere", "slow-down", "bad"]],
      [{ statusClass: 5 }, ["broken"]],
      [{ status: 429 }, ["slow-down"]],
      [{ status: 304 }, ["unchanged"]],
      [{ errorCode: "not_found" }, ["nowhere"]],
      [{ method: "POST" }, ["order"]],
      [{ operation: "search" }, ["found"]],
      [{ operation: null }, ["nowhere"]],
      [{ path: "/orders" }, ["order"]],
      [{ path: "/v1/no" }, ["nowhere"]],
      [{ apiKeyId: 12 }, ["other-key"]],
      [{ apiKeyId: 21 }, []],
      [{ apiKeyId: 11, statusClass: 5 }, ["broken"]],
      [{ fromMs: startMs + 8_000 }, ["unchanged", "agent"]],
      [{ toMs: startMs + 2_000 }, ["other-key", "ok"]],
      [{ text: "lo fi 100%" }, []],
      [{ text: "LO FI" }, ["found"]],
      [{ text: "valid INTEGER" }, ["bad"]],
      [{ text: "slow-down" }, ["slow-down"]],
      [{ text: "'; drop table" }, ["agent"]],
      [{ text: "_%\\" }, ["agent"]],
      [{ text: "%" }, ["agent", "found"]],
      [{ text: "\ud83c" }, []],
      [{ text: "ffffffff-ffff-7000-8000-000000000000" }, []],
      [{ text: "search", status: 400 }, []],
    ] as [CallFilter, string[]][])("are filtered by %o", async (filter, expected) => {
      expect((await list(filter)).ids).toEqual(expected);
    });

    it.each([1, 2, 3, 10])("come in pages of %d, each call once, even if times are equal", async (limit) => {
      await write(
        Array.from({ length: 7 }, (_, index) =>
          logEntry({
            timeMs: startMs + 60_000,
            requestId: `same-${limit}-${index}`,
            userId: 100 + limit,
            apiKeyId: 90,
          }),
        ),
      );
      const ids: string[] = [];
      let before: string | undefined;
      do {
        const page = await listCalls(log, 100 + limit, {}, { limit, before });
        ids.push(...page.calls.map(({ requestId }) => requestId));
        before = page.next ?? undefined;
      } while (before !== undefined);
      expect(ids).toEqual(Array.from({ length: 7 }, (_, index) => `same-${limit}-${6 - index}`));
    });

    it("are scanned in bounded steps: a page says where the scan ended, and the next page continues there", async () => {
      const first = await list({ text: "other-key" }, { scanned: 4 });
      expect(first).toMatchObject({ ids: [], searchedTo: new Date(startMs + 6_000) });
      const second = await list({ text: "other-key" }, { scanned: 4, before: first.next ?? "" });
      expect(second).toMatchObject({ ids: [], searchedTo: new Date(startMs + 2_000) });
      const third = await list({ text: "other-key" }, { scanned: 4, before: second.next ?? "" });
      expect(third).toEqual({ ids: ["other-key"], next: null, searchedTo: null });
    });

    it("do not reveal whether a key of another account was used", async () => {
      expect(await list({ apiKeyId: 21 }, { scanned: 4 })).toEqual({ ids: [], next: null, searchedTo: null });
    });

    it.each(["", "yesterday", "1-", "-1-1", "1-1;", "99999999999999999999-1", "999999999999999-1"])(
      "are refused with 400 for the cursor %o",
      async (before) => {
        await expect(list({}, { before })).rejects.toMatchObject({ status: 400, refusedBy: "parameter:before" });
      },
    );

    it("are found by request id without a full scan, since ids contain the time", async () => {
      const requestId = "019b76da-a800-7abc-8def-0123456789ab";
      const madeMs = 0x019b76daa800;
      const theirs = { userId: 300, apiKeyId: 30 };
      await write([
        logEntry({ ...theirs, requestId, timeMs: madeMs + 2 }),
        ...Array.from({ length: 20 }, (_, index) => logEntry({ ...theirs, timeMs: madeMs + 60_000 + index })),
      ]);
      const page = await listCalls(log, 300, { text: requestId.toUpperCase() }, { limit: 50, scanned: 5 });
      expect(page.calls.map((call) => call.requestId)).toEqual([requestId]);
      expect(page.next).toBeNull();
    });
  });

  it("calls of all accounts, and with unknown keys, are listed for the operator", async () => {
    const filter = { fromMs: startMs, toMs: startMs + 20_000 };
    const callsWithoutAccount = await listCalls(log, null, filter, { limit: 50 });
    expect(callsWithoutAccount.calls.map(({ requestId, userId, apiKeyId }) => [requestId, userId, apiKeyId])).toEqual([
      ["of nobody", null, null],
    ]);
    const bad = await listCalls(log, "everybody", { ...filter, status: 400 }, { limit: 50 });
    expect(bad.calls.map(({ userId }) => userId).toSorted()).toEqual([me, stranger]);
    const [call] = bad.calls;
    expect((await findCall(log, "everybody", call?.id ?? 0)).requestId).toBe("bad");
    const ofKey = await listCalls(log, "everybody", { ...filter, apiKeyId: 12 }, { limit: 50 });
    expect(ofKey.calls.map(({ requestId }) => requestId)).toEqual(["other-key"]);
  });

  describe("one call", () => {
    it("is returned with all logged fields, to its owner only", async () => {
      const { calls: all } = await listCalls(log, me, { status: 400 }, { limit: 1 });
      const [bad] = all;
      expect(await findCall(log, me, bad?.id ?? 0)).toEqual({
        ...bad,
        errorMessage: null,
        errorDetails: "The genre parameter must be a valid integer.",
        headers: {},
        body: null,
        clientAddress: "127.0.0.1",
        fromExplorer: false,
        userAgent: "",
      });
      await expect(findCall(log, stranger, bad?.id ?? 0)).rejects.toMatchObject({ status: 404 });
      await expect(findCall(log, me, 0)).rejects.toMatchObject({ status: 404 });
    });
  });
});
