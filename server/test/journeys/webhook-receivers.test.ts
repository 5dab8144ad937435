import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { drill } from "@beatmarket/webhook-testing/drill/drill.ts";
import { type Outcome, Sender } from "@beatmarket/webhooks/sender.ts";
import { newSecret, signatureHeaders } from "@beatmarket/webhooks/signature.ts";
import { describe, expect, onTestFinished, test } from "vitest";

const page = await readFile(join(import.meta.dirname, "../../../docs/webhooks.md"), "utf8");

/**
 * For each receiver of the page: the command that runs it, and the command that succeeds if this machine can run it.
 */
const languages = [
  {
    fence: "js",
    file: "receiver.mjs",
    check: [process.execPath, "--version"],
    run: [process.execPath, "receiver.mjs"],
  },
  { fence: "python", file: "receiver.py", check: ["python3", "--version"], run: ["python3", "receiver.py"] },
  {
    fence: "php",
    file: "receiver.php",
    check: ["php", "--version"],
    run: ["php", "-S", "localhost:3000", "receiver.php"],
  },
  { fence: "ruby", file: "receiver.rb", check: ["ruby", "-e", "require 'webrick'"], run: ["ruby", "receiver.rb"] },
] as const;

const event = { id: "evt_1", created: 1, type: "beat.purchased", data: { title: "Café 🎵 / Übung", amount: 29.9 } };
const body = Buffer.from(JSON.stringify(event));

test("the page has a receiver in each language", () => {
  for (const { fence } of languages) expect(receiverIn(fence)).toContain("WEBHOOK_SECRET");
});

describe.each(languages)("the receiver of docs/webhooks.md in $fence", ({ fence, file, check, run }) => {
  test.skipIf(!works(check))("accepts only genuine events", async () => {
    const secret = newSecret();
    const { port, nextLine } = await start(receiverIn(fence), { file, run, secret });
    const sender = new Sender({ userAgent: "Test-Webhooks/1.0", allowPrivate: true, clock: systemClock });
    onTestFinished(() => sender.close());
    const send = (payload: Buffer, headers: Record<string, string>): Promise<Outcome> =>
      sender.send({ url: `http://localhost:${port}/`, body: payload, headers });
    const headers = signed(secret);

    await until(async () => (await send(body, headers)).error === null);
    expect(await nextLine()).toBe("beat.purchased");
    const changed = Buffer.from(body.toString().replace("29.9", "2.99"));
    expect(await send(changed, headers)).toMatchObject({ status: 401 });
    expect(await send(body, signed(newSecret()))).toMatchObject({ status: 401 });
    expect(await send(body, {})).toMatchObject({ status: 401 });
    expect(await send(body, { ...headers, "webhook-signature": "é" })).toMatchObject({ status: 401 });
    expect(await send(body, headers)).toMatchObject({ status: 200 });
  });

  test.skipIf(!works(check))("makes none of the mistakes that the drill finds by responses", async () => {
    const secret = newSecret();
    const { port } = await start(receiverIn(fence), { file, run, secret });
    const sign = async (text: string, key: string, time: Date) => {
      const { id } = JSON.parse(text) as { id: string };
      const timestampSeconds = Math.floor(time.getTime() / 1000);
      return signatureHeaders({ id, timestampSeconds, body: Buffer.from(text) }, [key]);
    };
    const url = new URL(`http://localhost:${port}/`);
    await until(() => isListening(port));
    const { findings } = await drill({ url, secret, sign, slowMs: 800, settleMs: 300 });
    expect(findings.length).toBeGreaterThan(1);
    expect(findings.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
  });
});

const signed = (secret: string): Record<string, string> =>
  signatureHeaders({ id: event.id, timestampSeconds: Math.floor(systemClock.nowMs() / 1000), body }, [secret]);

const isListening = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/`).then(
    () => true,
    () => false,
  );

/** The first program in that language below the page's heading. */
function receiverIn(fence: string): string {
  const section = page.slice(page.indexOf("\n## Receivers\n"));
  return new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, "s").exec(section)?.[1] ?? "";
}

function works([program, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface Program {
  file: string;
  run: readonly [string, ...string[]];
  secret: string;
}

/** Runs the program unchanged, except for the port. */
async function start(source: string, { file, run, secret }: Program) {
  const folder = await mkdtemp(join(tmpdir(), "receiver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const withPort = (text: string): string => text.replace("3000", String(port));
  await writeFile(join(folder, file), withPort(source));
  const [program, ...args] = run.map(withPort);
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const { nextLine } = startProgram(program ?? "", args, { cwd: folder, env });
  return { port, nextLine };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a condition holds, because another program takes time to start. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}
