import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Redis, or Valkey in its place. */
export type RedisProgram = "redis-server" | "valkey-server";

/** A private Redis without persistence. */
export interface RedisServer {
  url: string;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** Starts Redis again, without data, on the same port. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Ends Redis and deletes its folder. */
  close(): Promise<void>;
}

/** `settings`: additional options of the program, each followed by its value. */
export async function startRedis(
  port: number,
  settings: readonly string[] = [],
  program: RedisProgram = "redis-server",
): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), "beatmarket-redis-"));
  let child: ChildProcess | null = null;
  const start = async () => {
    const server = spawn(
      program,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir, ...settings],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    child = server;
    await new Promise<void>((ready, fail) => {
      let text = "";
      server.once("error", fail);
      server.once("exit", (code) => fail(new Error(`${program} ended with status ${code}:\n${text}`)));
      server.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("Ready to accept connections")) ready();
      });
    });
  };
  const kill = async () => {
    if (child === null) return;
    const exitEvent = once(child, "exit");
    child.kill("SIGKILL");
    await exitEvent;
    child = null;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    close: async () => {
      await kill();
      await rm(dir, { recursive: true });
    },
  };
}
