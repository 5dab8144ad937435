import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startStripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import { locksDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { readConfig } from "../../config.ts";
import { reportsFigure } from "../../resources/operations/activity.ts";
import { payoutsVerdict } from "../../resources/operations/verdicts.ts";
import { recordAddress } from "../terminal/run.ts";
import type { Finding } from "./check.ts";
import { doctorCommand } from "./doctor.ts";
import { freshness } from "./place-checks.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const folder = await mkdtemp(join(tmpdir(), "beatmarket-doctor-"));
afterAll(() => rm(folder, { recursive: true }));

/** The settings of a public service. The other settings have defaults, some of which are unsafe for such a service. */
const publicEnv = { PUBLIC_URL: "https://beats.example.invalid.net", DEMO: "off", PAYMENTS: "sandbox" };
const doctor = (env: Record<string, string> = {}, ...args: string[]) =>
  runHere(doctorCommand, ["doctor", ...args], {
    DATABASE_URL: url,
    DATA_DIR: folder,
    STORAGE_URL: pathToFileURL(join(folder, "objects")).href,
    ...env,
  });

async function runDoctor(env: Record<string, string> = {}, ...args: string[]) {
  const { out, status } = await doctor(env, "--json", ...args);
  const { is_healthy, checks } = JSON.parse(out) as { is_healthy: boolean; checks: Finding[] };
  const findingOf = (name: string): Finding => {
    const finding = checks.find(({ check }) => check === name);
    if (finding === undefined) throw new Error(`No check is named ${name}.`);
    return finding;
  };
  return { status, is_healthy, checks, findingOf };
}

beforeEach(async () => {
  await driver`truncate outgoing_mails, media_jobs, ledger_comparisons`;
});

test("the doctor finds no fault in a healthy service, and the exit status is 0", async () => {
  const { status, is_healthy, checks, findingOf } = await runDoctor();
  expect({ status, is_healthy }).toEqual({ status: 0, is_healthy: true });
  expect(checks.filter(({ state }) => !["ok", "unused"].includes(state))).toEqual([]);
  expect(findingOf("schema")).toEqual({
    check: "schema",
    state: "ok",
    detail: "The schema is up to date.",
    remedy: null,
  });
  expect((await runDoctor({}, "--deep")).status).toBe(0);
});

test("the table has a row for each check, wrapped, and ends with a summary", async () => {
  const { out, status } = await doctor();
  expect(status).toBe(0);
  expect(out).toMatch(/^CHECK +STATE +WHAT WAS FOUND, AND WHAT TO DO\n/);
  expect(out).toMatch(/^webhook queue +ok +Waiting: 0 deliveries/m);
  expect(out).toMatch(/\n\nNothing is wrong: \d+ checks\.\n$/);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
});

test("a setting that cannot be read is the only finding", async () => {
  const { status, checks } = await runDoctor({ PORT: "x" });
  expect([status, checks]).toEqual([1, [expect.objectContaining({ check: "settings", state: "wrong" })]]);
  expect(checks[0]?.detail).toContain('PORT is "x"');
});

test("an unreachable database is wrong, and its content stays unchecked", async () => {
  const { status, findingOf } = await runDoctor({ DATABASE_URL: "postgres://a:b@127.0.0.1:1/x" });
  expect([status, findingOf("database").state, findingOf("ledger").state, findingOf("backups").state]).toEqual([
    1,
    "wrong",
    "unchecked",
    "unchecked",
  ]);
  expect(findingOf("database").detail).toContain("nothing listens there");
});

test("a schema that lacks a migration is wrong, and is not changed", async () => {
  const other = await testDatabaseUrl();
  const database = openTestDatabase(other);
  const last = await database.driver<{ name: string }[]>`
    delete from schema_migrations where number = (select max(number) from schema_migrations) returning name`;
  const { status, findingOf } = await runDoctor({ DATABASE_URL: other });
  expect([status, findingOf("schema").state, findingOf("clock").state]).toEqual([1, "wrong", "unchecked"]);
  expect(findingOf("schema").detail).toBe(`The schema lacks ${last[0]?.name}.`);
  const { status: again } = await runDoctor({ DATABASE_URL: other });
  expect(again).toBe(1);
});

test("an unsafe setting is wrong only with a public address", async () => {
  const unsafe = { WEBHOOK_ALLOW_PRIVATE: "on" };
  expect((await runDoctor(unsafe)).findingOf("settings").state).toBe("ok");
  const { status, findingOf } = await runDoctor({ ...publicEnv, ...unsafe });
  expect([status, findingOf("settings").state]).toEqual([1, "wrong"]);
  expect(findingOf("settings").detail).toContain("WEBHOOK_ALLOW_PRIVATE=on");
  expect(findingOf("settings").detail).toContain("MAIL_FROM is an example address");
  expect(findingOf("settings").remedy).toContain("Remove WEBHOOK_ALLOW_PRIVATE.");
  expect([findingOf("backups").state, findingOf("mail server").state, findingOf("operators").state]).toEqual([
    "wrong",
    "wrong",
    "warning",
  ]);
  expect((await runDoctor({ ...publicEnv, DEMO: "on" })).findingOf("settings").detail).toContain("demo mode");
});

test("missing pages are a warning for a public service, and a file that the server would refuse is wrong", async () => {
  expect((await runDoctor()).findingOf("name and pages").state).toBe("unused");
  expect((await runDoctor(publicEnv)).findingOf("name and pages")).toMatchObject({
    state: "warning",
    detail: expect.stringMatching(/^\/terms, \/privacy, \/contact say only/),
  });
  expect((await runDoctor({ SITE_LOGO: join(folder, "none.png") })).findingOf("name and pages").state).toBe("wrong");
});

test("a secret key that other users can read is wrong", async () => {
  const data = await mkdtemp(join(folder, "data-"));
  await writeFile(join(data, "secret-key"), "k".repeat(44));
  await chmod(join(data, "secret-key"), 0o644);
  expect((await runDoctor({ DATA_DIR: data })).findingOf("secret key")).toMatchObject({
    state: "wrong",
    remedy: `Run: chmod 600 ${join(data, "secret-key")}`,
  });
});

test("a storage that cannot be written is wrong", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const { status, findingOf } = await runDoctor({ STORAGE_URL: pathToFileURL(file).href });
  expect([status, findingOf("storage").state]).toEqual([1, "wrong"]);
});

test("a vault without a backup is wrong", async () => {
  const vault = await mkdtemp(join(tmpdir(), "beatmarket-doctor-vault-"));
  onTestFinished(() => rm(vault, { recursive: true }));
  const { findingOf } = await runDoctor({ BACKUP_VAULT: pathToFileURL(vault).href });
  expect(findingOf("backups").state).toBe("wrong");
});

test("a backup is fresh after 24 hours, not after 48; one without the embedded database is not a backup of it", () => {
  const clock = { nowMs: () => Date.parse("2027-01-02T00:00:00Z"), monotonicMs: () => 0 };
  const backup = (ended_at: string) => ({
    id: "20270101T000000Z",
    started_at: ended_at,
    ended_at,
    database: null,
    objects: 1,
  });
  const list = (...backups: ReturnType<typeof backup>[]) => ({
    backups,
    logs: new Map(),
    damaged: [],
    unfinished: new Map(),
  });
  const verdictOf = (backups: ReturnType<typeof list>, cluster: string | null = null) =>
    freshness(backups, cluster, { clock, server: null });
  expect(verdictOf(list(backup("2027-01-01T00:00:00Z")))).toMatchObject({
    state: "ok",
    detail: expect.stringContaining("24 hours old"),
  });
  expect(verdictOf(list(backup("2026-12-31T00:00:00Z"))).state).toBe("wrong");
  expect(verdictOf(list()).detail).toBe("The vault has no backup of this database.");
  expect(verdictOf(list(backup("2027-01-01T00:00:00Z")), "7").detail).toBe("The vault has no backup of this database.");
});

test("queues that wait too long are wrong; failed items are a warning with their reason", async () => {
  await driver`
    insert into outgoing_mails (id, recipient, template, facts, created_at, due_at, failed_at, last_error)
    values ('00000000-0000-4000-8000-000000000001', 'a@example.com', 'receipt', '{}', now() - interval '4 days', now(), now(), '550 no such user')`;
  await driver`
    insert into media_jobs (kind, subject, run_at, last_error) values ('analyse', 'upl_1', now() + interval '1 minute', 'killed')`;
  const warned = await runDoctor();
  expect(warned.status).toBe(0);
  expect(warned.findingOf("mail queue")).toMatchObject({
    state: "warning",
    detail: expect.stringContaining("550 no such user"),
  });
  expect(warned.findingOf("media jobs")).toMatchObject({
    state: "warning",
    detail: expect.stringContaining("analyse upl_1: killed"),
  });
  await driver`update outgoing_mails set failed_at = null, created_at = now() - interval '2 hours'`;
  await driver`update media_jobs set run_at = now() - interval '20 minutes'`;
  const late = await runDoctor();
  expect([late.status, late.findingOf("mail queue").state, late.findingOf("media jobs").state]).toEqual([
    1,
    "wrong",
    "wrong",
  ]);
});

test("a ledger that differs from the provider is wrong", async () => {
  await driver`
    insert into ledger_comparisons (provider, day, differences, compared_at) values ('stripe', now() - interval '2 days', 3, now())`;
  expect((await runDoctor()).findingOf("ledger")).toMatchObject({
    state: "wrong",
    detail: "The ledger has 3 differences with stripe.",
  });
});

test("a stopped run, blocked bank details, and payouts and reports that wait too long are listed", async () => {
  const [beat = 0] = await insertBeats(database, [{}]);
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const verdict = async () => {
    const { state, detail } = await payoutsVerdict(database.query, now);
    return [state, detail];
  };
  const [{ run = 0 } = {}] = await driver<{ run: number }[]>`
    insert into payout_runs (method, currency, cleared_before, created_at, collected_at)
    values ('stripe', 'EUR', ${daysAgo(9)}, ${daysAgo(1)}, ${daysAgo(1)}) returning id::int as run`;
  const fields = { run_id: run, amount_cents: 100, currency: "EUR", created_at: daysAgo(1) };
  const pay = async (payout: object) => {
    const [{ user_id = 0 } = {}] = await driver<{ user_id: number }[]>`
      insert into users (username, display_name) values (gen_random_uuid()::text, 'P') returning id::int as user_id`;
    await database.query
      .insertInto("payouts")
      .values({ ...fields, user_id, ...payout })
      .execute();
  };
  const toBank = { status: "sent", holder: "N", iban: "NL91ABNA0417164300" };
  await pay({ stripe_account: "acct_1", status: "paid", settled_at: now });
  await pay({ stripe_account: "acct_2", status: "pending" });
  expect(await verdict(), "a run that moves").toEqual(["ok", expect.any(String)]);
  await driver`update payouts set settled_at = ${daysAgo(0.5)} where status = 'paid'`;
  expect(await verdict()).toEqual(["wrong", `Payout run ${run} (stripe) has paid no producer for 720 minutes.`]);
  await driver`update payouts set refusals = 1 where status = 'pending'`;
  const unfunded = expect.stringMatching(
    /^Payout run \d+ waits: the balance at Stripe does not suffice for payout \d+\.$/,
  );
  expect(await verdict()).toEqual(["wrong", unfunded]);
  await driver`update payout_runs set finished_at = now()`;
  await driver`update payouts set status = 'paid', settled_at = now()`;
  await pay({ ...toBank, sent_at: daysAgo(6) });
  expect(await verdict(), "a bank that may still answer").toEqual(["ok", expect.any(String)]);
  await pay({ ...toBank, sent_at: daysAgo(8) });
  expect(await verdict()).toEqual(["warning", "1 payout was sent more than 7 days ago, and no outcome is entered."]);
  await driver`
    insert into payout_accounts (user_id, holder, iban, blocked_reason, updated_at)
    select user_id, 'N', 'NL91ABNA0417164300', 'Account closed', now() from beats where id = ${beat}`;

  await driver`
    insert into beat_reports (beat_id, email, reason, details, state, created_at)
    values (${beat}, 'r@example.com', 'other', 'Mine', 'open', ${daysAgo(13)})`;
  const { findingOf, status } = await runDoctor();
  expect([status, findingOf("payouts").state, findingOf("reports").state]).toEqual([0, "warning", "warning"]);
  expect(findingOf("payouts").detail).toMatch(/^The newest payout of 1 producer failed\. 1 payout was sent/);
  expect(findingOf("reports").detail).toBe("1 report waits for you.");
  const stateAfter = async (set: object) => {
    await database.query.updateTable("beat_reports").set(set).execute();
    return (await reportsFigure(database.query, now)).verdict.state;
  };
  expect(await stateAfter({ created_at: daysAgo(15) })).toBe("wrong");
  const noticed = { state: "notice_sent", noticed_at: daysAgo(15) };
  expect(await stateAfter({ ...noticed, counter_until: daysAgo(-1) })).toBe("ok");
  expect(await stateAfter({ ...noticed, counter_until: daysAgo(1) })).toBe("warning");
  expect(await stateAfter({ ...noticed, counter_until: daysAgo(15) })).toBe("wrong");
  const countered = { state: "countered", counter: "No.", countered_at: daysAgo(15) };
  expect(await stateAfter({ ...countered, decide_until: daysAgo(-1) })).toBe("ok");
  expect(await stateAfter({ ...countered, decide_until: daysAgo(1) })).toBe("wrong");
  expect((await runDoctor()).findingOf("reports").detail).toBe("1 report waits for you, 1 of them past the deadline.");
});

test("the doctor asks Stripe whether the key is valid; without a key, the check is unused", async () => {
  expect((await runDoctor()).findingOf("payments").state).toBe("unused");
  const stripe = await startStripeServer();
  try {
    const env = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_API_BASE: stripe.url.href };
    expect((await runDoctor(env)).findingOf("payments").state).toBe("ok");
    expect((await runDoctor({ ...env, STRIPE_SECRET_KEY: "rk_test_1" })).findingOf("payments")).toMatchObject({
      state: "wrong",
      detail: "Stripe refuses STRIPE_SECRET_KEY: You did not provide an API key.",
    });
    stripe.trouble = () => "unreachable";
    expect((await runDoctor(env)).findingOf("payments").detail).toMatch(/^Stripe cannot be reached: /);
  } finally {
    await stripe.close();
  }
});

test.each([
  { status: 403, state: "warning", detail: /^Stripe answers\. The key may not read the balance/ },
  { status: 429, state: "wrong", detail: /^Stripe answered with status 429: / },
])("status $status of Stripe does not count as a refused key", async ({ status, state, detail }) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { type: "invalid_request_error", message: "Not now" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const env = { STRIPE_SECRET_KEY: "rk_test_1", STRIPE_API_BASE: `http://127.0.0.1:${port}` };
    expect((await runDoctor(env)).findingOf("payments")).toMatchObject({
      state,
      detail: expect.stringMatching(detail),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("Redis and a mail server that do not respond are wrong", async () => {
  const { findingOf } = await runDoctor({ REDIS_URL: "redis://127.0.0.1:1", SMTP_URL: "smtp://127.0.0.1:1" });
  expect([findingOf("Redis").state, findingOf("mail server").state]).toEqual(["wrong", "wrong"]);
  expect(findingOf("mail server").detail).toContain("ECONNREFUSED");
});

test("VictoriaLogs that does not respond, or refuses deletions, is wrong", async () => {
  const unreachable = (await runDoctor({ REQUEST_LOG_URL: "victorialogs://127.0.0.1:1" })).findingOf("request log");
  expect([unreachable.state, unreachable.remedy]).toEqual([
    "wrong",
    "Bring it back with -delete.enable, or correct REQUEST_LOG_URL (docs/request-log.md).",
  ]);
  let deletes = false;
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/delete/") === true && !deletes) response.writeHead(400).end("pass -delete.enable");
    else response.end(request.url === "/delete/active_tasks" ? "[]" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `victorialogs://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await runDoctor({ REQUEST_LOG_URL: url })).findingOf("request log")).toMatchObject({
      state: "wrong",
      detail: expect.stringContaining("pass -delete.enable"),
    });
    deletes = true;
    expect((await runDoctor({ REQUEST_LOG_URL: url })).findingOf("request log").state).toBe("ok");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("a server that is not ready is a fault with the text of /readyz", async () => {
  let body = '{"status":"ready"}';
  let status = 200;
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const data = await mkdtemp(join(folder, "data-"));
  await recordServer(data, port);
  try {
    expect((await runDoctor({ DATA_DIR: data })).findingOf("server").state).toBe("ok");
    [body, status] = ['{"status":"storage away"}', 503];
    expect((await runDoctor({ DATA_DIR: data })).findingOf("server")).toMatchObject({
      state: "wrong",
      detail: expect.stringContaining("/readyz is 503: storage away."),
    });
  } finally {
    server.close();
  }
  expect((await runDoctor({ DATA_DIR: data })).findingOf("server").detail).toContain("Nothing answers at");
});

async function recordServer(dataDir: string, port: number): Promise<void> {
  await mkdir(join(dataDir, locksDir), { recursive: true });
  await recordAddress({
    ...readConfig({ DATA_DIR: dataDir, TLS: "off" }),
    port,
    host: "127.0.0.1",
    publicUrl: "https://localhost",
  });
}
