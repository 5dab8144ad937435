import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { programEnv, type RunningProgram, startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openBucketKey } from "@beatmarket/webhooks/endpoints/destination.ts";
import { Command, CommanderError } from "commander";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { eventTypes } from "../../resources/webhooks/event-types.ts";
import { emitEvents } from "../../resources/webhooks/outbox.ts";
import { usersCommand } from "../users.ts";
import { webhooksCommand } from "./webhooks.ts";

const url = await testDatabaseUrl();
const { query: db } = openTestDatabase(url);
const env = { DATABASE_URL: url, SECRET_KEY: "a key for tests that is long enough", WEBHOOK_ALLOW_PRIVATE: "on" };

let received: { path: string; body: Buffer; signature: string }[] = [];
let status = 200;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({
    path: request.url ?? "",
    body: Buffer.concat(chunks),
    signature: String(request.headers["x-webhook-signature"]),
  });
  response.statusCode = status;
  response.end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
afterAll(() => receiver.close());
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

beforeEach(async () => {
  received = [];
  status = 200;
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});

/** Runs a command within this process, which is faster. Returns its output. */
async function beatmarket(...args: string[]): Promise<{ out: string; errors: string }> {
  const result = { out: "", errors: "" };
  const keep = (into: "out" | "errors") => (text: unknown) => {
    result[into] += String(text);
    return true;
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(keep("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(keep("errors")),
  ];
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  });
  try {
    const program = new Command("beatmarket").exitOverride();
    webhooksCommand(program.command("webhooks"));
    usersCommand(program.command("users"));
    for (const command of program.commands.flatMap((group) => group.commands)) command.exitOverride();
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return result;
}

const json = async (...args: string[]) => JSON.parse((await beatmarket(...args, "--json")).out);
const create = (...args: string[]): Promise<{ id: number; secret: string }> =>
  json("webhooks", "create", "--email", "me@example.com", "--url", hook, ...args);
const list = () => json("webhooks", "list");
const deliveries = (id: number, ...args: string[]): Promise<{ id: number; type: string; state: string }[]> =>
  json("webhooks", "deliveries", String(id), ...args);

/** Starts a `beatmarket` process and waits for its first line. */
async function start(...args: string[]): Promise<{ program: RunningProgram; line: string }> {
  const main = join(import.meta.dirname, "../../main.ts");
  const program = startProgram(process.execPath, [main, ...args], { env: { ...programEnv, ...env } });
  return { program, line: await program.nextLine() };
}
const emit = () => emitEvents(db, [{ type: "user.updated", data: {}, at: new Date(), audience: "everyone" }]);
const sign = (body: Buffer, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

test("create prints exactly the id and the secret", async () => {
  const endpoint = await create("--events", "beat.purchased, user.updated", "--ordered");
  expect(Object.keys(endpoint)).toEqual(["id", "secret"]);
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect(await list()).toMatchObject([
    { id: endpoint.id, url: hook, events: ["beat.purchased", "user.updated"], ordered: true },
  ]);
  expect((await beatmarket("webhooks", "list")).out).not.toContain(endpoint.secret);
});

test("create adds an endpoint for a bucket, with the secret of its access key from a file", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "beatmarket-key-")), "secret.txt");
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  await writeFile(file, "secret-of-the-bucket\n");
  const bucket = "s3://my-events/market?region=eu-central-1";
  const key = ["--access-key-id", "AKIA1", "--secret-access-key-file"];
  const { out } = await beatmarket("webhooks", "create", "--email", "me@example.com", "--url", bucket, ...key, file);
  expect(out).toContain("at s3://my-events/market/?region=eu-central-1");
  expect(out).not.toContain("secret-of-the-bucket");
  const row = await db.selectFrom("webhook_endpoints").selectAll().executeTakeFirstOrThrow();
  const box = await openSecretBox({ dataDir: "", secretKey: env.SECRET_KEY });
  expect(openBucketKey(row.id, row, box)).toEqual({ accessKeyId: "AKIA1", secretAccessKey: "secret-of-the-bucket" });
  expect(await list()).toMatchObject([{ kind: "s3", url: "s3://my-events/market/?region=eu-central-1" }]);
});

test("create takes a version, and version changes it", async () => {
  const { id } = await create("--api-version", "2026-11-28");
  const versionOf = async () => (await list()).find((each: { id: number }) => each.id === id)?.version;
  expect(await versionOf()).toBe("2026-11-28");
  expect(await json("webhooks", "version", String(id), "2026-11-20")).toEqual({ id, version: "2026-11-20" });
  expect(await versionOf()).toBe("2026-11-20");
});

test.each([
  [
    "an unknown event type",
    ["create", "--email", "me@example.com", "--url", hook, "--events", "beat.sold"],
    '"beat.sold" is not an event type',
  ],
  [
    "a bucket without its access key",
    ["create", "--email", "me@example.com", "--url", "s3://my-events?region=eu-central-1"],
    "A bucket needs an access key",
  ],
  [
    "an access key without its secret",
    ["create", "--email", "me@example.com", "--url", "s3://my-events?region=eu-central-1", "--access-key-id", "AKIA1"],
    "A bucket needs both",
  ],
  [
    "a file that does not exist",
    ["create", "--email", "me@example.com", "--url", hook, "--access-key-id", "A", "--secret-access-key-file", "/none"],
    "/none could not be read",
  ],
  ["an invalid id", ["disable", "first"], "whole number"],
  ["an endpoint that does not exist", ["enable", "999999"], "no webhook endpoint 999999"],
  ["a delivery that does not exist", ["resend", "999999"], "no webhook delivery 999999"],
  ["an account that does not exist", ["list", "--email", "nobody@example.com"], "no account"],
  ["a replay without a selection", ["replay", "1"], "Choose the deliveries to replay"],
  ["an overlap of a year", ["rotate", "1", "--overlap", "52w"], "0 to 30 days"],
])("%s is refused with a clear error", async (_, args, message) => {
  const { errors } = await beatmarket("webhooks", ...args);
  expect(errors).toContain(message);
  expect(errors).not.toContain("    at ");
});

test("disable, enable --replay, resend and replay change the states of deliveries", async () => {
  const { id } = await create();
  await emit();
  expect(await json("webhooks", "disable", String(id))).toMatchObject({ id, state: "disabled" });
  await emit();
  expect(await list()).toMatchObject([{ state: "disabled", skipped: 2, pending: 0 }]);
  expect(await json("webhooks", "enable", String(id), "--replay")).toEqual({ id, state: "enabled", replayed: 2 });
  const [newest] = await deliveries(id, "--state", "pending");
  expect(await deliveries(id, "--state", "failed")).toEqual([]);
  expect(await json("webhooks", "resend", String(newest?.id))).toEqual({ id: newest?.id, state: "pending" });
  await db.updateTable("webhook_deliveries").set({ state: "failed", next_attempt_at: null }).execute();
  expect(await json("webhooks", "replay", String(id), "--failed")).toEqual({ id, replayed: 2 });
  expect(await json("webhooks", "replay", String(id), "--from", "2h", "--to", "1h")).toEqual({ id, replayed: 0 });
  expect(await json("webhooks", "delete", String(id))).toEqual({ id, deleted: true });
  expect(await list()).toEqual([]);
});

test("test queues an event of each type, and curl prints a newly signed request", async () => {
  const { id, secret } = await create("--events", "beat.created");
  await json("webhooks", "test", String(id));
  const queued = await deliveries(id);
  expect(queued.map(({ type }) => type).toSorted()).toEqual(eventTypes.toSorted());
  const { curl } = await json("webhooks", "curl", String(queued[0]?.id));
  const [, body = ""] = /--data-binary '(.*)' 'http/.exec(curl) ?? [];
  expect(curl).toContain(`-H 'X-Webhook-Signature: ${sign(Buffer.from(body.replaceAll("'\\''", "'")), secret)}'`);
  expect(curl).not.toContain(secret);
  expect(await json("webhooks", "test", String(id), "--type", "user.updated")).toMatchObject({
    id,
    deliveries: [expect.any(Number)],
  });
});

test("rotate creates a new secret, and the previous one signs for the overlap", async () => {
  const { id, secret } = await create();
  const rotated = await json("webhooks", "rotate", String(id), "--overlap", "1h");
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  expect(Date.parse(rotated.previous_signs_until) - Date.now()).toBeGreaterThan(3_500_000);
  expect((await json("webhooks", "rotate", String(id), "--overlap", "0")).previous_signs_until).toBeNull();
});

test("users marketplace sets and clears the flag of an account", async () => {
  await findOrCreateAccount(db, { email: "market@example.com" });
  const isFlagged = async () =>
    (
      await db
        .selectFrom("users")
        .select("marketplace")
        .where("email", "=", "market@example.com")
        .executeTakeFirstOrThrow()
    ).marketplace;
  expect(await json("users", "marketplace", "--email", "market@example.com")).toMatchObject({ marketplace: true });
  expect(await isFlagged()).toBe(true);
  await json("users", "marketplace", "--email", "market@example.com", "--off");
  expect(await isFlagged()).toBe(false);
  expect((await beatmarket("users", "marketplace", "--email", "nobody@example.com")).errors).toContain("no account");
});

describe("as separate processes", () => {
  test("worker delivers events, and stops at SIGTERM", async () => {
    const { secret } = await create();
    const { program, line } = await start("worker");
    expect(line).toBe("ready: delivering webhooks, doing media jobs");
    await emit();
    await until(() => received.length === 1);
    const [{ body, signature } = { body: Buffer.alloc(0), signature: "" }] = received;
    expect(signature).toBe(sign(body, secret));
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ pending: 0, failed: 0 }]);
  });

  test("listen forwards an account's events to a local receiver, signed with the printed secret, and cleans up", async () => {
    await findOrCreateAccount(db, { email: "me@example.com" });
    const { program, line } = await start(
      "webhooks",
      "listen",
      "--forward",
      hook,
      "--email",
      "me@example.com",
      "--json",
    );
    const { secret, forward } = JSON.parse(line);
    expect(forward).toBe(hook);
    await emit();
    expect(JSON.parse(await program.nextLine())).toMatchObject({ type: "user.updated", status: 200, error: null });
    expect(received.map(({ body, signature }) => signature === sign(body, secret))).toEqual([true]);
    status = 500;
    await emit();
    expect(JSON.parse(await program.nextLine())).toMatchObject({ status: 500, error: expect.stringContaining("500") });
    expect(await list()).toEqual([]);
    program.child.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 0 });
    for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts"] as const)
      expect(await db.selectFrom(table).select("id").execute()).toEqual([]);
  });

  test("listen ends with its parent process, because npx does not forward signals", async () => {
    await findOrCreateAccount(db, { email: "me@example.com" });
    const main = join(import.meta.dirname, "../../main.ts");
    const command = [process.execPath, main, "webhooks", "listen", "--forward", hook, "--email", "me@example.com"];
    const shell = startProgram("/bin/sh", ["-c", '"$0" "$@"; :', ...command], {
      env: { ...programEnv, ...env },
    });
    expect(await shell.nextLine()).toContain("ready");
    shell.child.kill("SIGKILL");
    await until(async () => (await db.selectFrom("webhook_endpoints").select("id").execute()).length === 0);
  });
});
