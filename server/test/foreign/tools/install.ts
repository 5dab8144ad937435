import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { registries } from "./registries.ts";
import { run, Unavailable } from "./run.ts";
import type { Tool } from "./versions.ts";

/** The folder of installed tools, which remain for the next run. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "beatmarket-foreign");

/** `name version` of each package that a tool installs. */
export const packagesOf = ({ packages }: Tool): string =>
  Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");

/** The folder of a tool in the cache. Each version has a separate folder. */
export function folderOf(tool: Tool): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([tool.registry, tool.packages]))
    .digest("hex")
    .slice(0, 12);
  const name = Object.keys(tool.packages)[0]?.replace(/.*[/:]/, "");
  return join(cache, `${name}-${hash}`);
}

/**
 * Installs a tool in the cache unless it exists, and returns its folder (`registries` describes the content).
 * Throws `Unavailable` if it cannot be installed: no network, or no client of that registry.
 */
export async function install(tool: Tool, progress: (progress: string) => void): Promise<string> {
  const folder = folderOf(tool);
  if (existsSync(folder)) return folder;
  progress(`installing from ${tool.registry}: ${packagesOf(tool)}`);
  await mkdir(cache, { recursive: true });
  // The folder is renamed when it is complete, so a folder in the cache is always complete.
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    for (const [program, ...args] of await registries[tool.registry](tool.packages, unfinished)) {
      const { status, output } = await run(program ?? "", args, { cwd: unfinished });
      if (status !== 0) throw new Unavailable(`${tool.registry} did not give ${packagesOf(tool)}: ${reasonIn(output)}`);
    }
    await rename(unfinished, folder);
  } catch (error) {
    // Another run may have installed the tool first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** The error line in the output of a registry's client. Some clients print their usage after it. */
export function reasonIn(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const reason = lines.find((line) => /error|could not|unable|failed/i.test(line)) ?? lines.at(-1) ?? "no reason given";
  return reason.trim().slice(0, 200);
}
