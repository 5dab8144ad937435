import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { Command } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { callsCommand } from "./calls.ts";

let out = "";
let errors = "";

beforeAll(async () => {
  const url = await testDatabaseUrl();
  const database = openTestDatabase(url);
  vi.stubEnv("DATABASE_URL", url);
  const { id: userId } = await findOrCreateAccount(database.query, { email: "dev@example.com" });
  const ownCall = { userId, apiKeyId: 7 };
  const agesMs = { "long ago": 3_600_000, "a while ago": 60_000, "just now": 1_000 };
  await writeLogEntries(database, [
    ...Object.entries(agesMs).map(([requestId, ageMs]) => ({ ...ownCall, requestId, timeMs: Date.now() - ageMs })),
    {
      ...ownCall,
      apiKeyId: 8,
      requestId: "limited",
      status: 429,
      refusedBy: "limit:minute",
      timeMs: Date.now() - 30_000,
    },
    logEntry({ requestId: "bad key", status: 401, refusedBy: "key", query: "limit=2", timeMs: Date.now() }),
  ]);
});
beforeEach(() => {
  out = "";
  errors = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function calls(...parameters: string[]): Promise<string[]> {
  const program = new Command().exitOverride();
  callsCommand(program.command("calls"));
  await program.parseAsync(["calls", ...parameters], { from: "user" });
  return parameters.includes("--json")
    ? out
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line).requestId)
    : out.split("\n");
}

const accountArgs = ["--email", "dev@example.com", "--json"];

describe("calls", () => {
  test("lists an account's calls, newest first", async () => {
    expect(await calls(...accountArgs)).toEqual(["just now", "limited", "a while ago", "long ago"]);
  });

  test.each([
    [["--key", "8"], ["limited"]],
    [["--status", "429"], ["limited"]],
    [
      ["--status", "2xx"],
      ["just now", "a while ago", "long ago"],
    ],
    [["--text", "LONG"], ["long ago"]],
    [
      ["--since", "5m"],
      ["just now", "limited", "a while ago"],
    ],
    [["--limit", "1"], ["just now"]],
  ])("filters by %o", async (parameters, expected) => {
    expect(await calls(...accountArgs, ...parameters)).toEqual(expected);
  });

  test("without an account lists the calls with invalid keys, as a table", async () => {
    const [head, row, ...rest] = await calls();
    expect(head).toMatch(/^TIME +STATUS +TOOK +METHOD +PATH +REFUSED FOR +REQUEST ID$/);
    expect(row).toMatch(/Z +401 +1\.5 ms +GET +\/v1\/beats\?limit=2 +key +bad key$/);
    expect(rest).toEqual([""]);
  });

  test("reports an empty list and an unknown account", async () => {
    expect((await calls("--status", "500"))[0]).toBe("There are no such calls. Calls are kept for 30 days.");
    await calls("--email", "nobody@example.com");
    expect(errors).toContain("There is no account with the e-mail address nobody@example.com.");
    expect(process.exitCode).toBe(1);
  });

  test("accepts only valid statuses", async () => {
    await expect(calls("--status", "6xx")).rejects.toThrow(/a status such as 429, or a class such as 4xx/);
  });
});
