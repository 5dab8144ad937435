import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram, until } from "@beatmarket/postgres/testing/processes.ts";
import { Agent, fetch, type RequestInit } from "undici";
import { afterAll, expect, test } from "vitest";
import { permissions } from "../../src/access/roles.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";

// One journey creates and uses every kind of secret, with valid and wrong ones, on a server with full logging. Then the
// test searches all output of the server for each secret.

const main = join(import.meta.dirname, "../../src/main.ts");
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-secrets-"));
afterAll(() => rm(dataDir, { recursive: true }));

/** Files whose purpose is to hold secrets. Only their owner can read them. */
const keepers = /^(tls\/.*|mail\/.*|secret-key|demo-key)$/;

test("no log, metric, error, table or file has a secret, except the files that store secrets", async () => {
  const random = () => randomBytes(12).toString("hex");
  const environment = {
    SECRET_KEY: `sk-${random()}${random()}`,
    METRICS_TOKEN: `mt-${random()}`,
    STRIPE_SECRET_KEY: `sk_test_${random()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${random()}${random()}`,
    // Nothing listens on this port: payments stay open, and the log records why.
    STRIPE_API_BASE: "http://127.0.0.1:9/",
  };
  const databaseUrl = await testDatabaseUrl();
  const database = openTestDatabase(databaseUrl);
  const [beat = 0] = await insertBeats(database, [{ title: "One" }]);
  const program = startProgram(process.execPath, [main, "serve", "--json"], {
    env: {
      ...process.env,
      ...environment,
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DEMO: "off",
      LOG_LEVEL: "trace",
    },
  });
  let output = "";
  for (const stream of [program.child.stdout, program.child.stderr])
    stream?.on("data", (text) => {
      output += text;
    });
  const { ready, ca_file } = JSON.parse(await program.nextLine()) as { ready: string; ca_file: string };
  const { origin } = new URL(ready);
  const agent = new Agent({ connect: { ca: await readFile(ca_file, "utf8") } });
  const errors: string[] = [];
  let cookie = "";
  const call = async (method: string, path: string, body: object | null, headers: Record<string, string> = {}) => {
    const init: RequestInit = {
      method,
      dispatcher: agent,
      headers: { origin, "content-type": "application/json", ...(cookie !== "" && { cookie }), ...headers },
      ...(body !== null && { body: JSON.stringify(body) }),
    };
    const response = await fetch(origin + path, init);
    const text = await response.text();
    for (const set of response.headers.getSetCookie())
      if (set.includes("session_token=")) cookie = set.split(";")[0] ?? "";
    if (response.status >= 400) errors.push(`${response.status} ${JSON.stringify([...response.headers])} ${text}`);
    return { status: response.status, json: () => JSON.parse(text), text };
  };
  const portal = (method: string, path: string, body: object | null = null) => call(method, `/portal/api${path}`, body);

  // An account: two passwords, three attempts with a wrong one, two mailed links, two sessions.
  const email = "ada@example.com";
  const passwords = { first: `first-${random()}`, second: `second-${random()}`, wrong: `wrong-${random()}` };
  await portal("POST", "/auth/register", { name: "Ada", email, password: passwords.first });
  const confirm = await mailedToken();
  await portal("POST", "/auth/confirm", { token: confirm, password: passwords.wrong });
  expect((await portal("POST", "/auth/confirm", { token: confirm, password: passwords.first })).status).toBe(204);
  const cookies = [cookie];
  await portal("POST", "/auth/change-password", { current_password: passwords.wrong, new_password: passwords.second });
  await portal("POST", "/auth/request-reset", { email });
  await until(async () => (await readdir(join(dataDir, "mail"))).length === 2);
  const reset = await mailedToken();
  expect((await portal("POST", "/auth/reset", { token: reset, password: passwords.second })).status).toBe(204);
  await portal("POST", "/auth/sign-in", { email, password: passwords.wrong });
  expect((await portal("POST", "/auth/sign-in", { email, password: passwords.second })).status).toBe(204);
  cookies.push(cookie);

  // Keys and webhook secrets that are created, rotated and revealed.
  const proposed = async () => (await portal("POST", "/keys/proposals")).json();
  const key = { name: "k", permissions: [...permissions], expires_in_days: null, proposed: await proposed() };
  const createdKey = (await portal("POST", "/keys", key)).json();
  const rotation = { overlap_hours: 1, proposed: await proposed() };
  const rotated = (await portal("POST", `/keys/${createdKey.id}/rotate`, rotation)).json();
  const { secret } = (
    await portal("POST", "/webhooks/endpoints", { url: "https://receiver.invalid/hook", event_types: null })
  ).json();
  const { id: inbox } = (await portal("POST", "/webhooks/inbox")).json();
  const revealed = (await portal("POST", `/webhooks/endpoints/${inbox}/reveal-secret`)).json();
  await portal("POST", `/webhooks/endpoints/${inbox}/test`, { type: "beat.created" });
  await portal("POST", "/webhooks/doctor", {
    endpoint_id: inbox,
    secret,
    headers: `X-Webhook-Signature: ${secret}`,
    body_base64: "e30=",
  });
  await until(async () => (await portal("GET", `/webhooks/endpoints/${inbox}/receipts`)).json().receipts.length > 0);

  // Sends keys in the right header, and in wrong places where users put them.
  const keys = [createdKey.key, rotated.key];
  const card = "4242424242424242";
  for (const key of keys) {
    const authorization = `Bearer ${key}`;
    const misplaced = {
      authorization,
      "user-agent": `curl ${key}`,
      referer: key,
      "idempotency-key": key,
      accept: `application/json;v=${key}`,
    };
    await call("GET", "/v1/genres", null, misplaced);
    await call("GET", `/v1/genres?api_key=${key}`, null, { authorization });
    await call("GET", `/v1/search?q=${key}&limit=0`, null, { authorization });
    await call("GET", `/v1/beats?${key}=1`, null, { authorization });
    await call("GET", `/v1/${key}`, null, { authorization });
    await call("GET", `/v1/beats/${key}`, null, { authorization });
    await call("GET", "/v1/genres", null, { authorization: `Basic ${Buffer.from(key).toString("base64")}` });
    await call("PUT", "/v1/users/profile", { api_key: key, password: passwords.second }, { authorization });
    await call("POST", "/v1/orders", { beat_id: key, payment_method: Number(card), secret }, { authorization });
  }
  await call("GET", `/v1/orders?password=${passwords.second}&token=${cookies[1]}`, null, {
    authorization: `Bearer ${rotated.key}`,
  });
  const authorization = `Bearer ${rotated.key}`;
  for (const payment_method of [card, "4242 4242 4242 4242", "4242.4242/4242-4242"])
    await call("POST", "/v1/orders", { beat_id: beat, payment_method }, { authorization });
  for (const misplaced of [createdKey.key, card])
    await call(
      "POST",
      "/v1/orders",
      { beat_id: beat, payment_method: "pm_card_visa" },
      { authorization, "idempotency-key": misplaced },
    );
  await call(
    "POST",
    "/webhooks/stripe",
    { type: "payment_intent.succeeded" },
    { "stripe-signature": environment.STRIPE_WEBHOOK_SECRET },
  );
  await call("GET", "/metrics", null, { authorization: `Bearer ${environment.METRICS_TOKEN}x` });
  const metrics = await call("GET", "/metrics", null, { authorization: `Bearer ${environment.METRICS_TOKEN}` });
  expect(metrics.status).toBe(200);
  await portal("POST", `/keys/${createdKey.id}/revoke`);
  await call("GET", "/v1/genres", null, { authorization: `Bearer ${createdKey.key}` });
  await portal("GET", "/calls");
  await portal("POST", "/auth/sign-out");
  await agent.close();
  program.child.kill("SIGTERM");
  expect((await program.ended).code).toBe(0);

  const outputs: Record<string, string> = { output, metrics: metrics.text, errors: errors.join("\n") };
  const { driver } = database;
  const tables = await driver<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
  for (const { name } of tables)
    outputs[`table ${name}`] = (await driver`select t::text as row from ${driver(name)} t`)
      .map(({ row }) => row)
      .join("\n");
  for (const file of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name).slice(dataDir.length + 1);
    if (file.isFile() && !keepers.test(path)) outputs[`file ${path}`] = await readFile(join(dataDir, path), "latin1");
  }
  expect(outputs.output?.length).toBeGreaterThan(500);
  expect(outputs.errors).toContain("invalid_request");
  expect(Object.keys(outputs)).toContain("table portal_sessions");

  const secrets = Object.entries({
    ...environment,
    ...passwords,
    "a mailed link": confirm,
    "another mailed link": reset,
    "a key": createdKey.key,
    "a rotated key": rotated.key,
    "a webhook secret": secret,
    "an inbox's secret": JSON.stringify(revealed).match(/whsec_[\w+/=]+/)?.[0] ?? "",
    "a cookie": decodeURIComponent(cookies[0]?.split("=")[1] ?? ""),
    "another cookie": decodeURIComponent(cookies[1]?.split("=")[1] ?? ""),
    "a card": card,
  });
  for (const [name, text] of secrets) {
    expect(text.length, name).toBeGreaterThan(11);
    // The encodings include the ones that a column or a header may have.
    const spellings = [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString("base64").replace(/=+$/, ""),
      Buffer.from(text).toString("hex"),
    ];
    const leaks = Object.entries(outputs).filter(([, value]) => spellings.some((spelling) => value.includes(spelling)));
    expect(
      leaks.map(([place]) => place),
      name,
    ).toEqual([]);
  }

  /** The fragment (after #) of the link in the newest mail. */
  async function mailedToken(): Promise<string> {
    const folder = join(dataDir, "mail");
    await until(async () => (await readdir(folder).catch(() => [])).length > 0);
    const newest = (await readdir(folder)).sort().at(-1) ?? "";
    const text = (await readFile(join(folder, newest), "utf8")).replaceAll("=\r\n", "");
    return /#([\w-]+)/.exec(text)?.[1] ?? "";
  }
});
