import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

test("the example receiver accepts only requests with a valid signature", async () => {
  const secret = "whsec_cmVjZWl2ZXI=";
  const port = await freePort();
  const source = await readFile(join(folder, "examples/receiver.mjs"), "utf8");
  await mkdir(join(folder, "receiver"), { recursive: true });
  await writeFile(join(folder, "receiver/receiver.mjs"), source.replace("3000", String(port)));
  const receiver = spawn(process.execPath, [join(folder, "receiver/receiver.mjs")], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void receiver.kill());
  let printed = "";
  receiver.stdout.on("data", (text) => {
    printed += text;
  });
  const body = JSON.stringify({ id: "evt_1", created: 1, type: "beat.purchased", data: { title: "Café 🎵 / Übung" } });
  const send = (text: string, signature: string) =>
    fetch(`http://localhost:${port}/`, {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json", "x-webhook-signature": signature },
    }).then(
      ({ status }) => status,
      () => undefined,
    );
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  while ((await send(body, signature)) !== 200) await sleep(50);
  expect(printed).toContain("beat.purchased evt_1");
  expect(await send(`${body} `, signature)).toBe(401);
  expect(await send(body, "0")).toBe(401);
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
