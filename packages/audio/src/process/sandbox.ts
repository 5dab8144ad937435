import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../../..");
/** The code of the program, which it may read in addition to its input. */
const code = ["packages", "package.json", "node_modules"].map((path) => join(root, path));

const lockdown = pathToFileURL(join(import.meta.dirname, "lockdown.main.ts")).href;
/** Disables features that Node's permissions do not restrict, or only in part. */
const disabledFeatures = [
  "--no-experimental-sqlite",
  "--no-experimental-ffi",
  "--no-experimental-webstorage",
  "--no-experimental-websocket",
  "--disable-sigusr1",
  "--disallow-code-generation-from-strings",
];

/**
 * The command that runs a program of this package in a sandbox. The program may only read its code, `reads` and
 * `outDir`, and write into `outDir`: no network, processes, signals, threads, databases, WASI or FFI. All paths must be
 * real paths.
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
    ...disabledFeatures,
    `--import=${lockdown}`,
    "--max-old-space-size=256",
    ...program,
  ];
}
