import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { locksDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { Config } from "../../config.ts";

type Address = Pick<Config, "port" | "host" | "publicUrl" | "tls">;

const addressFile = (dataDir: string): string => join(dataDir, locksDir, "server.json");

/** Records the address of the server of `dataDir`, so that commands on the same folder know it. Returns its removal. */
export async function recordAddress(config: Config): Promise<() => Promise<void>> {
  const { port, host, publicUrl, tls } = config;
  const file = addressFile(config.dataDir);
  await rm(file, { force: true }); // root's file can be removed here, but not written
  await writeFile(file, `${JSON.stringify({ pid: process.pid, port, host, publicUrl, tls })}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}

/** The configuration with the address of the server that runs on the data folder; unchanged where none runs. */
export function withServerAddress(config: Config): Config {
  try {
    const { pid, ...address } = JSON.parse(readFileSync(addressFile(config.dataDir), "utf8")) as Address & {
      pid: number;
    };
    return isRunning(pid) ? { ...config, ...address } : config;
  } catch {
    return config;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
