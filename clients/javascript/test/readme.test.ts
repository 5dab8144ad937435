import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..");
const page = await readFile(join(folder, "README.md"), "utf8");
const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, source = ""]) => source);
const { BEATMARKET_TEST_BASE_URL, BEATMARKET_TEST_API_KEY, BEATMARKET_TEST_CA_FILE } = process.env;
const env = {
  ...process.env,
  BEATMARKET_BASE_URL: BEATMARKET_TEST_BASE_URL,
  BEATMARKET_API_KEY: BEATMARKET_TEST_API_KEY,
  BEATMARKET_CA_FILE: BEATMARKET_TEST_CA_FILE,
};

test("the README has programs", () => expect(blocks.length).toBeGreaterThan(5));

test.skipIf(BEATMARKET_TEST_BASE_URL === undefined && process.env.CI !== "true").each(
  blocks.map((source, index) => ({
    source,
    index: index + 1,
  })),
)("program $index runs as it stands and prints something", async ({ source, index }) => {
  const file = join(folder, `readme-${index}.mjs`);
  await Promise.all([writeFile(file, source), writeFile(join(folder, "beat.wav"), tone(3))]);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
  expect(stdout).not.toBe("");
});

test("the example receiver accepts only requests with a valid signature, and prints each event once", async () => {
  const secret = "whsec_cmVjZWl2ZXI=";
  const receiver = spawn(process.execPath, [join(folder, "examples/receiver.mjs")], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0", DATABASE: ":memory:" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void receiver.kill());
  const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value;
  const [, address = ""] = /^listening at (.*)$/.exec(String(await line())) ?? [];
  const send = async (id: string, { timestamp = Math.floor(Date.now() / 1_000), text = "" } = {}) => {
    const body = JSON.stringify({ id, created: 1, type: "beat.purchased", data: { title: "Café 🎵 / Übung" } });
    const mac = createHmac("sha256", Buffer.from("cmVjZWl2ZXI=", "base64")).update(`${id}.${timestamp}.${body}`);
    const signature = { "webhook-signature": `v1,${mac.digest("base64")}` };
    const headers = { "content-type": "application/json", "webhook-id": id, "webhook-timestamp": `${timestamp}` };
    const { status } = await fetch(address, {
      method: "POST",
      body: body + text,
      headers: { ...headers, ...signature },
    });
    return status;
  };
  expect([await send("evt_1"), await send("evt_1"), await send("evt_2")]).toEqual([200, 200, 200]);
  expect([await line(), await line()]).toEqual(["beat.purchased evt_1", "beat.purchased evt_2"]);
  expect([await send("evt_3", { text: " " }), await send("evt_3", { timestamp: 1 })]).toEqual([401, 401]);
});

/** A WAV file of a tone, 8 bit mono. */
function tone(seconds: number): Buffer {
  const rate = 22_050;
  const head = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x01\0\x08\0data\0\0\0\0",
    "latin1",
  );
  const samples = Buffer.from(Array.from({ length: rate * seconds }, (_, at) => 128 + 60 * Math.sin(at / 16)));
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
