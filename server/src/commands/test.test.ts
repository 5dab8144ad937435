import { join } from "node:path";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { bugs, sampleReceiver, secret } from "@beatmarket/webhook-testing/testing/sample-receiver.ts";
import { expect, onTestFinished, test } from "vitest";

const main = join(import.meta.dirname, "../main.ts");
const drill = (...parameters: string[]) =>
  startProgram(process.execPath, [main, "test", "drill", ...parameters], { env: programEnv });

test("test drill lists each mistake of a receiver, and ends with status 1", async () => {
  const { url, close } = await sampleReceiver({ planted: bugs });
  onTestFinished(close);
  const program = drill(url.href, "--secret", secret, "--json");
  const { findings } = JSON.parse(await program.nextLine()) as { findings: { name: string; verdict: string }[] };
  expect(findings.filter(({ verdict }) => verdict === "wrong").map(({ name }) => name)).toEqual(bugs);
  expect((await program.ended).code).toBe(1);
});

test("test drill accepts a correct receiver", async () => {
  const { url, close } = await sampleReceiver({});
  onTestFinished(close);
  expect((await drill(url.href, "--secret", secret).ended).code).toBe(0);
});

test.each([
  { parameters: ["http://localhost:3000"], status: 1, sentence: "There is no secret." },
  { parameters: ["http://localhost:3000", "--secret", "short"], status: 1, sentence: "The secret is not whsec_ and" },
  { parameters: ["ftp://localhost", "--secret", secret], status: 2, sentence: "It takes an address such as http:" },
])("test drill $parameters says which parameter is missing or invalid", async ({ parameters, status, sentence }) => {
  const { code, stderr } = await drill(...parameters).ended;
  expect([code, stderr]).toEqual([status, expect.stringContaining(sentence)]);
});
