import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const printSettings = `process.on("exit", () => console.log(process.execArgv.join(" "), process.env.NODE_COMPILE_CACHE));`;

test.each(["src/main.ts", "bin/beatmarket.mjs"])(
  "the program that %s starts has its own settings of Node, and keeps the given ones",
  async (file) => {
    const parameters = ["--no-deprecation", "--import", `data:text/javascript,${encodeURIComponent(printSettings)}`];
    const program = join(import.meta.dirname, "..", file);
    // With the tests' own NODE_COMPILE_CACHE, the program would not choose its cache.
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
    const { stdout } = await promisify(execFile)(process.execPath, [...parameters, program, "--version"], { env });
    expect(stdout).toMatch(
      /^\d+\.\d+\.\d+\n--max-semi-space-size=\d+ .*--no-deprecation .*node_modules\/\.cache\/node\n$/,
    );
  },
);

test("the program's flags do not replace the bounds of a thread's heap", async () => {
  // The young generation begins with two semi-spaces. With the flags, each has 64 MB. Without them, both together have
  // less than the thread's bound.
  const flags = ["--max-semi-space-size=64", "--min-semi-space-size=64"];
  const measure = `
    const { parentPort } = require("node:worker_threads");
    const spaces = require("node:v8").getHeapSpaceStatistics();
    parentPort.postMessage(spaces.find((space) => space.space_name === "new_space").space_size);`;
  const preload = `
    import { Worker } from "node:worker_threads";
    const { exit } = process;
    process.exit = () => {
      process.exit = () => {};
      const options = { eval: true, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 12 } };
      new Worker(${JSON.stringify(measure)}, options).once("message", (bytes) => {
        console.log("young generation: " + bytes);
        exit(0);
      });
    };`;
  const parameters = [...flags, "--import", `data:text/javascript,${encodeURIComponent(preload)}`];
  const program = join(import.meta.dirname, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [...parameters, program, "--version"]);
  const [, bytes] = /young generation: (\d+)/.exec(stdout) ?? [];
  expect(Number(bytes)).toBeLessThanOrEqual(12 << 20);
});
