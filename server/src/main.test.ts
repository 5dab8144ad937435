import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const printSettings = `process.on("exit", () => console.log(process.execArgv.join(" "), process.env.NODE_COMPILE_CACHE));`;

test.each(["src/main.ts", "bin/beatmarket.mjs"])(
  "started by %s, it has its settings and keeps those it was given",
  async (file) => {
    const parameters = ["--no-deprecation", "--import", `data:text/javascript,${encodeURIComponent(printSettings)}`];
    const program = join(import.meta.dirname, "..", file);
    // The tests' own cache would stand in for the one that the program chooses.
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
    const { stdout } = await promisify(execFile)(process.execPath, [...parameters, program, "--version"], { env });
    expect(stdout).toMatch(
      /^\d+\.\d+\.\d+\n--max-semi-space-size=\d+ .*--no-deprecation .*node_modules\/\.cache\/node\n$/,
    );
  },
);
