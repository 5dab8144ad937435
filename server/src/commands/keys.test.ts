import { spawn } from "node:child_process";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { permissions } from "../access/roles.ts";
import type { Database } from "../database/connect.ts";
import { CallerCache } from "../resources/api-keys/caller-cache.ts";
import { isWellFormed } from "../resources/api-keys/key-format.ts";
import { listAudit } from "../resources/audit/queries.ts";
import { keysCommand } from "./keys.ts";
import { usersCommand } from "./users.ts";

const main = join(import.meta.dirname, "../main.ts");

let url: string;
let database: Database;

beforeAll(async () => {
  url = await testDatabaseUrl();
  database = openTestDatabase(url);
});

interface Ended {
  status: number | null;
  out: string;
  errors: string;
}

/** Runs `beatmarket` as a separate process. */
function beatmarket(args: string[], env: Record<string, string> = { DATABASE_URL: url }): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...programEnv, ...env } });
    let out = "";
    let errors = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, out, errors }));
  });
}

const keys = (args: string[]) => runHere(keysCommand, ["keys", ...args], { DATABASE_URL: url });

async function json<Result>(args: string[]): Promise<Result> {
  const declare = args[0] === "keys" ? keysCommand : usersCommand;
  const { status, out, errors } = await runHere(declare, [...args, "--json"], { DATABASE_URL: url });
  expect({ status, errors }).toEqual({ status: 0, errors: "" });
  expect(out).toMatch(/^.+\n$/);
  return JSON.parse(out) as Result;
}

interface Created {
  key: string;
  id: number;
  user_id: number;
}

/** The caller that the API would find for a key now. */
const caller = (key: string) => {
  const callers = new CallerCache(database.query, systemClock, { warn: () => {} });
  return Promise.resolve(callers.find(key)).finally(() => callers.close());
};

describe("keys create", () => {
  test("--json prints key, id and user_id; the key works with every permission on plan standard", async () => {
    const created = await json<Created>(["keys", "create", "--email", "Json@Example.com"]);
    expect(Object.keys(created)).toEqual(["key", "id", "user_id"]);
    expect(isWellFormed(created.key)).toBe(true);
    expect(await caller(created.key)).toEqual({
      keyId: created.id,
      userId: created.user_id,
      plan: "standard",
      permissions: new Set(permissions),
    });
    const second = await json<Created>(["keys", "create", "--email", "json@example.COM", "--plan", "partner"]);
    expect(second.user_id).toBe(created.user_id);
    expect(second.key).not.toBe(created.key);
  });

  test("sets permissions, plan, name and expiry", async () => {
    const args = [
      "--permissions",
      "orders:read, orders:write",
      "--plan",
      "internal",
      "--name",
      "Backup",
      "--expires",
      "90d",
    ];
    const { key, id } = await json<Created>(["keys", "create", "--email", "all@example.com", ...args]);
    expect(await caller(key)).toMatchObject({
      plan: "internal",
      permissions: new Set(["orders:read", "orders:write"]),
    });
    const [listed] = await json<Record<string, unknown>[]>(["keys", "list", "--email", "all@example.com"]);
    expect(listed).toMatchObject({ id, name: "Backup", state: "active", permissions: ["orders:read", "orders:write"] });
    const lifetimeMs = Date.parse(String(listed?.expires_at)) - Date.parse(String(listed?.created_at));
    expect(Math.round(lifetimeMs / 86_400_000)).toBe(90);
  });

  test("sets a version, which `keys version` changes or removes", async () => {
    const create = ["keys", "create", "--email", "version@example.com"];
    const { key, id } = await json<Created>([...create, "--api-version", "2026-11-28"]);
    expect(await caller(key)).toMatchObject({ version: "2026-11-28" });
    const moved = await keys(["version", String(id), "2026-11-20"]);
    expect(moved.out).toMatch(new RegExp(`^API key ${id} .* gets version 2026-11-20[.]`));
    expect(await caller(key)).toMatchObject({ version: "2026-11-20" });
    expect((await keys(["version", String(id), "account"])).out).toContain("gets the version of its account.");
    expect(await caller(key)).not.toHaveProperty("version");
    const refusal = await keys(["version", String(id), "2026-11-19"]);
    expect(refusal.errors).toContain("2026-11-20, 2026-11-28, account");
  });

  test("without --json shows the key, says that it is shown once, and prints a curl line", async () => {
    const { status, out } = await beatmarket(["keys", "create", "--email", "person@example.com", "--plan", "plus"]);
    expect(status).toBe(0);
    const key = /^ {2}(bm_\w{46})$/m.exec(out)?.[1] ?? "";
    expect(isWellFormed(key)).toBe(true);
    expect(out).toContain("of person@example.com");
    expect(out).toContain("plan plus, all permissions, never expires");
    expect(out).toContain("cannot be shown again");
    expect(out).toContain(`curl --cacert '.data/tls/ca.pem' -H 'Authorization: Bearer ${key}'`);
  });

  test.each<[string, string[], string]>([
    ["no e-mail", [], "required option '--email <address>' not specified"],
    ["a bad e-mail", ["--email", "nobody"], '"nobody" is not an e-mail address such as name@example.com.'],
    ["an unknown plan", ["--email", "a@b.c", "--plan", "gold"], "standard, plus, partner, internal"],
    ["a mistyped permission", ["--email", "a@b.c", "--permissions", "beat:read"], "Did you mean beats:read?"],
    ["an unknown permission", ["--email", "a@b.c", "--permissions", "everything"], permissions.join(", ")],
    ["no permission", ["--email", "a@b.c", "--permissions", ""], "permission"],
    ["a bad expiry", ["--email", "a@b.c", "--expires", "soon"], "2027-01-31"],
    ["an expiry in the past", ["--email", "a@b.c", "--expires", "2020-01-01"], "expire in the future"],
    ["an unknown option", ["--email", "a@b.c", "--plam", "plus"], "--plan"],
  ])("refuses %s with status 1 and says what is valid", async (_, args, words) => {
    const { status, out, errors } = await keys(["create", ...args, "--json"]);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(errors).toMatch(/^error: /);
    expect(errors).toContain(words);
    expect(errors).not.toContain("    at ");
  });

  test("refuses an eleventh key", async () => {
    const create = () => keys(["create", "--email", "many@example.com", "--json"]);
    for (let i = 0; i < 10; i++) expect((await create()).status).toBe(0);
    const { status, errors } = await create();
    expect(status).toBe(1);
    expect(errors).toBe("error: The account has 10 active API keys, the most it may have. Revoke one first.\n");
  });
});

describe("keys list, revoke and rotate", () => {
  test("a revoked key is rejected and listed as revoked", async () => {
    const { key, id } = await json<Created>(["keys", "create", "--email", "revoke@example.com"]);
    expect(await caller(key)).not.toBeNull();
    const revoked = await json<{ id: number; revoked_at: string }>(["keys", "revoke", String(id)]);
    expect(revoked).toEqual({ id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) });
    expect(await caller(key)).toBeNull();
    const { out } = await beatmarket(["keys", "list", "--email", "revoke@example.com"]);
    expect(out).toMatch(/^ID +ACCOUNT +NAME +ENDS WITH +PLAN +STATE/);
    expect(out).toMatch(new RegExp(`^${id} +revoke@example\\.com +CLI key +${key.slice(-4)} +standard +revoked`, "m"));
    expect(out).not.toContain(key);
  });

  test("the reason for a change of plan and for a revocation is in the audit log of the account", async () => {
    const { id, user_id } = await json<Created>(["keys", "create", "--email", "reason@example.com"]);
    expect((await keys(["plan", `${id}`, "plus", "--reason", "Its shop has grown"])).status).toBe(0);
    expect((await keys(["revoke", `${id}`, "--reason", "It stood in a public repository."])).status).toBe(0);
    const entries = await listAudit(database.query, user_id, { limit: 2 });
    expect(entries.map(({ subject, author }) => [subject, author])).toEqual([
      [expect.stringMatching(/\. Reason: It stood in a public repository\.$/), "operator"],
      [expect.stringMatching(/\. Reason: Its shop has grown\.$/), "operator"],
    ]);
  });

  test("a rotated key works until the overlap ends; with --overlap 0 it stops immediately", async () => {
    const old = await json<Created>(["keys", "create", "--email", "rotate@example.com", "--permissions", "beats:read"]);
    const fresh = await json<Created & { replaces: { id: number } }>(["keys", "rotate", String(old.id)]);
    expect(fresh).toMatchObject({ user_id: old.user_id, replaces: { id: old.id } });
    expect([await caller(old.key), await caller(fresh.key)]).toEqual([
      expect.objectContaining({ keyId: old.id }),
      expect.objectContaining({ keyId: fresh.id, permissions: new Set(["beats:read"]) }),
    ]);
    const newest = await json<Created>(["keys", "rotate", String(fresh.id), "--overlap", "0"]);
    expect(await caller(fresh.key)).toBeNull();
    expect(await caller(newest.key)).not.toBeNull();
  });

  test("list shows every account's keys to the operator, newest first", async () => {
    const { id } = await json<Created>(["keys", "create", "--email", "newest@example.com"]);
    const listedKeys = await json<{ id: number; email: string }[]>(["keys", "list"]);
    expect(listedKeys[0]).toMatchObject({ id, email: "newest@example.com" });
    expect(new Set(listedKeys.map((key) => key.email)).size).toBeGreaterThan(1);
    expect(listedKeys.map((key) => key.id)).toEqual(listedKeys.map((key) => key.id).toSorted((a, b) => b - a));
  });

  test.each<[string, string[], string]>([
    ["an unknown key", ["revoke", "987654"], "There is no API key 987654."],
    ["an id that is not a number", ["revoke", "abc"], "It takes a whole number."],
    ["an empty reason", ["revoke", "1", "--reason", " "], "The reason is a sentence of 1 to 300 characters"],
    ["no id", ["revoke"], "missing required argument 'id'"],
    ["the rotation of an unknown key", ["rotate", "987654"], "There is no API key 987654."],
    ["a bad overlap", ["rotate", "1", "--overlap", "long"], "30m, 24h, 90d or 2w"],
    ["an overlap beyond 30 days", ["rotate", "1", "--overlap", "31d"], "from 0 to 30 days"],
    ["an unknown account", ["list", "--email", "ghost@example.com"], "ghost@example.com"],
  ])("refuses %s with status 1", async (_, args, words) => {
    const { status, out, errors } = await keys(args);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(errors).toContain(words);
    expect(errors).not.toContain("    at ");
  });
});

describe("users create", () => {
  test("creates an account; a second time is an error", async () => {
    const args = ["users", "create", "--email", "User@Example.com", "--name", "Ada Beats"];
    const account = await json<Record<string, unknown>>(args);
    expect(account).toEqual({
      id: expect.any(Number),
      username: "ada-beats",
      email: "user@example.com",
      display_name: "Ada Beats",
    });
    const again = await beatmarket(args);
    expect(again).toEqual({
      status: 1,
      out: "",
      errors: "error: There is already an account with the e-mail address user@example.com.\n",
    });
    const key = await json<Created>(["keys", "create", "--email", "user@example.com"]);
    expect(key.user_id).toBe(account.id);
  });
});

test("a command brings an empty database's schema up to date", async () => {
  const empty = await emptyDatabaseUrl();
  const { status, out } = await beatmarket(["keys", "list", "--json"], { DATABASE_URL: empty });
  expect({ status, out }).toEqual({ status: 0, out: "[]\n" });
});

test("an unreachable database is reported in one sentence", async () => {
  const { status, errors } = await beatmarket(["keys", "list"], { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  expect(status).toBe(1);
  expect(errors).toMatch(/^error: .+\.\n$/);
});
