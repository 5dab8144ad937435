import { join } from "node:path";

const root = join(import.meta.dirname, "../../../..");
/** What a program of the sandbox reads beside its input: its code. */
const code = [
  ...["server/src/audio", "server/src/music", "server/package.json", "package.json"],
  ...["node_modules", "server/node_modules"],
].map((path) => join(root, path));

/**
 * The command that runs a program of `audio/` on this Node with permission for nothing but reading its code and `reads`,
 * and writing into `outDir`: no network, processes, threads, WASI or FFI. The paths are real ones, without links.
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
    "--max-old-space-size=256",
    ...program,
  ];
}
