import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import type { Report } from "../harness/programmes/report.ts";
import type { Bench } from "./bench.ts";
import type { Market } from "./market.ts";
import { runToSuccess } from "./tools/run.ts";

const longestMs = 30_000;

/** A receiver, ready to start. It verifies with WEBHOOK_SECRET, and prints the type of each event that it accepts. */
export interface Receiver {
  /** The command, in which the port replaces an argument `$PORT`. PORT also has the port. */
  command: readonly [program: string, ...args: string[]];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** The path of the receiver's URL; `/` by default. */
  path?: string;
}

/** Makes the server deliver an event to the receiver, and then sends forged requests. */
export async function receive(bench: Bench, report: Report, receiver: Receiver): Promise<void> {
  const market = await bench.market();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${receiver.path ?? "/"}`;
  const email = `receiver-${port}@example.com`;
  const create = ["webhooks", "create", "--email", email, "--url", url, "--events", "beat.purchased"];
  const { id, secret } = await market.command<{ id: number; secret: string }>(...create);
  const program = await startReceiver(receiver, { port, secret });
  try {
    const key = await market.key(email);
    await market.call(key, "/orders", { beat_id: 1, payment_method: "pm_card_visa" });
    const delivery = await delivered(market, id);
    const isAccepted = delivery.state === "succeeded" && program.output().includes("beat.purchased");
    report.check("accepts the server's delivery", isAccepted, isAccepted ? deliveryText(delivery) : program.output());

    const { curl } = await market.command<{ curl: string }>("webhooks", "curl", String(delivery.id));
    const genuine = await statusOf(bench, curl);
    report.check("accepts the same delivery from curl", /^2/.test(genuine), genuine);
    const changed = await statusOf(bench, curl.replace('"beat_id":1', '"beat_id":2'));
    report.check("refuses a changed body", /^4/.test(changed), changed);
    const unsigned = await statusOf(bench, curl.replaceAll(/-H '[\w-]*signature: [^']*'/gi, ""));
    report.check("refuses a delivery without a signature", /^4/.test(unsigned), unsigned);

    await market.command("webhooks", "rotate", String(id));
    await market.command("webhooks", "resend", String(delivery.id));
    const second = await delivered(market, id);
    report.check("accepts both signatures of a rotated secret", second.state === "succeeded", deliveryText(second));
  } finally {
    await program.stop();
    await market.command("webhooks", "delete", String(id));
  }
}

interface Delivery {
  id: number;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
}

const deliveryText = ({ state, last_status, last_error }: Delivery): string =>
  `${state}, ${last_status ?? "no status"}${last_error === null ? "" : `: ${last_error}`}`;

/** The endpoint's only delivery, after its first attempt. */
async function delivered(market: Market, endpoint: number): Promise<Delivery> {
  for (const deadlineMs = performance.now() + longestMs; performance.now() < deadlineMs; await sleep(200)) {
    const [delivery] = await market.command<Delivery[]>("webhooks", "deliveries", String(endpoint));
    if (delivery !== undefined && delivery.attempts > 0 && delivery.state !== "sending") return delivery;
  }
  throw new Error(`The server attempted no delivery within ${longestMs / 1000} s.`);
}

/** Sends a request in the form of a curl command. Returns the HTTP status. */
async function statusOf(bench: Bench, curl: string): Promise<string> {
  return runToSuccess("sh", ["-c", `${curl} -s -o /dev/null -w '%{http_code}'`], { cwd: await bench.folder() });
}

/** Starts a receiver. Resolves when it listens. `output` is the end of its output, `lines` is all of it. */
export async function startReceiver(
  { command, cwd, env: ownEnv }: Receiver,
  { port, secret }: { port: number; secret: string },
) {
  const [program, ...args] = command.map((word) => word.replace("$PORT", String(port)));
  const env = { ...process.env, ...ownEnv, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program ?? "", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk;
    });
  }
  const ended = once(child, "close");
  ended.catch(() => {});
  const output = () => text.slice(-2_000);
  const lines = () => text.split("\n").slice(0, -1);
  for (const deadlineMs = performance.now() + longestMs; !(await listens(port)); await sleep(50))
    if (performance.now() > deadlineMs || child.exitCode !== null) {
      kill();
      throw new Error(`${program} does not listen:\n${output()}`);
    }
  return {
    output,
    lines,
    stop: async () => {
      kill();
      await ended;
      process.off("exit", kill);
    },
  };
}

function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
