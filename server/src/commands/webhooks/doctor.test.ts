import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { newSecret, signatureHeaders } from "@beatmarket/webhooks/signature.ts";
import { Command } from "commander";
import { expect, it, onTestFinished, vi } from "vitest";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { createEndpoint } from "../../resources/webhooks/endpoints.ts";
import { doctorCommand } from "./doctor.ts";

const secret = newSecret();
const body = '{"id":"evt_1","created":1,"type":"beat.created","data":{}}';

it("accepts a valid delivery, with its headers as lines of curl -v or as JSON", async () => {
  const headers = headersOf(secret);
  const lines = ["> POST /hooks HTTP/1.1", ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`)];
  for (const text of [lines.join("\r\n"), JSON.stringify(headers)])
    expect(await doctor({ headers: text, body }, ["--secret", secret])).toEqual({
      status: 0,
      out: "The signature is right.\n",
      errors: "",
    });
});

it("prints the cause and the advice, and exits with status 1", async () => {
  const delivery = { headers: JSON.stringify(headersOf(secret)), body: `${body}\n` };
  const { status, out } = await doctor(delivery, ["--secret", secret]);
  expect(status).toBe(1);
  expect(out).toContain("trailing newline");
  const asJson = await doctor(delivery, ["--secret", secret, "--json"]);
  expect(JSON.parse(asJson.out)).toEqual({
    ok: false,
    finding: "newline",
    cause: expect.stringContaining("trailing newline"),
    advice: expect.any(String),
  });
});

it("explains the signature that the receiver's code computed", async () => {
  const base64 = Buffer.from(headersOf(secret)["X-Webhook-Signature"] ?? "", "hex").toString("base64");
  const delivery = { headers: JSON.stringify(headersOf(secret)), body };
  const { out } = await doctor(delivery, ["--secret", secret, "--computed", base64]);
  expect(out).toContain("base64 instead of hex");
});

it("uses the secret of an endpoint", async () => {
  const url = await testDatabaseUrl();
  const { query } = openTestDatabase(url);
  const secretKey = "a key that only this test uses, long enough";
  const { id: userId } = await findOrCreateAccount(query, { email: "doctor@example.com" });
  const { endpoint, secret: endpointSecret } = await createEndpoint(
    query,
    { userId, url: "https://example.com/", eventTypes: null },
    { secrets: await openSecretBox({ dataDir: tmpdir(), secretKey }), allowPrivate: false, now: new Date() },
    "operator",
  );
  vi.stubEnv("DATABASE_URL", url);
  vi.stubEnv("SECRET_KEY", secretKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const delivery = { headers: JSON.stringify(headersOf(endpointSecret)), body };
  expect(await doctor(delivery, ["--endpoint", String(endpoint.id)])).toMatchObject({
    status: 0,
    out: "The signature is right.\n",
  });
  expect(await doctor(delivery, ["--endpoint", "999999"])).toMatchObject({ status: 1, out: "" });
});

it.each([
  ["no secret", [], "Give either --secret or --endpoint."],
  ["two secrets", ["--secret", secret, "--endpoint", "1"], "Give either --secret or --endpoint."],
  ["a headers file that does not exist", ["--secret", secret, "--headers", "/nowhere"], "/nowhere cannot be read"],
])("refuses %s with a clear error", async (_, args, message) => {
  const { status, out, errors } = await doctor({ headers: "", body }, args);
  expect(status).toBe(1);
  expect(out).toBe("");
  expect(errors).toContain(message);
});

const headersOf = (signingSecret: string): Record<string, string> =>
  signatureHeaders({ id: "evt_1", timestampSeconds: Math.floor(Date.now() / 1000), body: Buffer.from(body) }, [
    signingSecret,
  ]);

async function doctor(delivery: { headers: string; body: string }, args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "doctor-"));
  await writeFile(join(folder, "headers"), delivery.headers);
  await writeFile(join(folder, "body"), delivery.body);
  const result: { status: unknown; out: string; errors: string } = { status: 0, out: "", errors: "" };
  const keep = (into: "out" | "errors") => (text: unknown) => {
    result[into] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(keep("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(keep("errors")),
  ];
  const program = new Command();
  doctorCommand(program);
  const files = ["--headers", join(folder, "headers"), "--body", join(folder, "body")];
  await program.parseAsync(["doctor", ...files, ...args], { from: "user" });
  result.status = process.exitCode ?? 0;
  process.exitCode = undefined;
  for (const spy of spies) spy.mockRestore();
  await rm(folder, { recursive: true });
  return result;
}
