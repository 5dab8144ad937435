import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { findGoProgram } from "@beatmarket/foundation/testing/go-program.ts";

/** The path of VictoriaLogs; a sentence if it is missing. */
export const findVictoriaLogs = () =>
  findGoProgram({
    module: "github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs",
    version: "v1.52.1",
    go: "1.26.5",
  });

/** Keeps rows of any time, because tests have fake clocks. */
const retentionFlags = ["-retentionPeriod=100y", "-futureRetention=100y", "-delete.enable"];

export interface VictoriaLogs {
  /** The value of REQUEST_LOG_URL. */
  url: string;
  port: number;
  /** The process id. */
  readonly pid: number;
  /** The folder with the data. */
  folder: string;
  /** Makes written rows visible to queries, which otherwise takes a second. */
  show(): Promise<void>;
  /** Ends the process and keeps the data. SIGKILL loses the rows of the last five seconds. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Restarts the process without rows. */
  empty(): Promise<void>;
  /** Ends the process and deletes the data. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts VictoriaLogs with a new folder. */
export async function startVictoriaLogs(program: string, flags: readonly string[] = []): Promise<VictoriaLogs> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "victoria-logs-"));
  let child: ChildProcess | null = null;
  const start = async () => {
    const args = [`-storageDataPath=${folder}`, `-httpListenAddr=127.0.0.1:${port}`, ...retentionFlags, ...flags];
    const started = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    child = started;
    let log = "";
    // Reads the output to its end, so that the pipe never fills.
    const isUp = new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stderr }).on("line", (line) => {
        log += `${line}\n`;
        if (line.includes("started server at")) resolve();
      });
      started.once("exit", () => reject(new Error(`VictoriaLogs ended before it listened:\n${log}`)));
    });
    await isUp;
  };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exitEvent = once(child, "exit");
    child.kill(signal);
    await exitEvent;
  };
  await start();
  return {
    url: `victorialogs://127.0.0.1:${port}`,
    port,
    get pid() {
      return child?.pid ?? Number.NaN;
    },
    folder,
    show: async () => {
      await fetch(`http://127.0.0.1:${port}/internal/force_flush`);
    },
    stop,
    start,
    empty: async () => {
      await stop("SIGKILL");
      await rm(folder, { recursive: true });
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      await stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
