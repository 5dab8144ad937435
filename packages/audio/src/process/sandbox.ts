import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../../..");
/** What a program of the sandbox reads beside its input: its code. */
const code = [...["packages", "package.json", "node_modules"]].map((path) => join(root, path));

const lockdown = pathToFileURL(join(import.meta.dirname, "lockdown.main.ts")).href;
/** Permissions do not cover them, or not all that they do. */
const withoutModules = [
  ...[
    "--no-experimental-sqlite",
    "--no-experimental-ffi",
    "--no-experimental-webstorage",
    "--no-experimental-websocket",
  ],
  ...["--disable-sigusr1", "--disallow-code-generation-from-strings"],
];

/**
 * The command that runs a program of `audio/` on this Node with permission for nothing but reading its code and `reads`,
 * and writing into `outDir`: no network, processes, signals, threads, databases, WASI or FFI. The paths are real ones, without links.
 */
export function sandboxed(
  program: [string, ...string[]],
  { reads, outDir, allowsAddons }: { reads: string[]; outDir: string; allowsAddons: boolean },
): [string, ...string[]] {
  return [
    process.execPath,
    "--permission",
    ...[...code, ...reads, outDir].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${outDir}`,
    ...(allowsAddons ? ["--allow-addons"] : []),
    ...withoutModules,
    `--import=${lockdown}`,
    "--max-old-space-size=256",
    ...program,
  ];
}
