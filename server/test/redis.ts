import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A Redis of the test's own, which keeps nothing on disk; ended when the file is through. */
export interface TestRedis {
  url: string;
  /** As `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
}

export async function testRedis(): Promise<TestRedis> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), "beatmarket-redis-"));
  let child: ChildProcess | null = null;
  const start = async () => {
    const its = spawn(
      "redis-server",
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    child = its;
    await new Promise<void>((ready, fail) => {
      let text = "";
      its.once("error", fail);
      its.once("exit", (code) => fail(new Error(`redis-server ended with status ${code}:\n${text}`)));
      its.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("Ready to accept connections")) ready();
      });
    });
  };
  const kill = async () => {
    if (child === null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = null;
  };
  await start();
  afterAll(async () => {
    await kill();
    await rm(dir, { recursive: true });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
