import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./errors.ts";

/** The data that `login` stores for a server. */
export interface Profile {
  apiKey: string;
  /** The absolute path of the CA file. */
  ca?: string;
}

/** The stored profiles, by the address of the server: `https://localhost:8443`. */
export interface Config {
  /** The server of the last login. */
  server?: string;
  profiles: Record<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** $XDG_CONFIG_HOME/beatmarket/config.json. The standard ignores a path that is not absolute. */
export function configFile({ XDG_CONFIG_HOME: configHome }: Environment): string {
  const home = configHome?.startsWith("/") === true ? configHome : join(homedir(), ".config");
  return join(home, "beatmarket", "config.json");
}

export function readConfig(environment: Environment): Config {
  const file = configFile(environment);
  try {
    const { server, profiles } = JSON.parse(readFileSync(file, "utf8")) as Partial<Config>;
    if (typeof profiles !== "object" || profiles === null) throw new SyntaxError("profiles are missing");
    return { profiles, ...(server !== undefined && { server }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { profiles: {} };
    throw new CommandError(`${file} cannot be read (${code ?? message}). Repair it, or delete it and log in again.`);
  }
}

/** Replaces the file atomically. Only the owner can read it. */
export function writeConfig(environment: Environment, config: Config): void {
  const file = configFile(environment);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}
