import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../../", import.meta.url));
const root = join(clients, "..");
/** What a language needs beside itself is kept for the next run. */
const cache = join(root, "node_modules/.cache/beatmarket-clients");

export interface Language {
  name: "javascript" | "python" | "php" | "ruby";
  /** A command that ends well where the language, with what its client needs, is there. */
  check: readonly string[];
  driver: readonly string[];
  /** Makes the driver's client ready to run, and returns the environment for it. */
  prepare(): Promise<NodeJS.ProcessEnv>;
}

const pathOf = (file: string): string => join(clients, file);

export const languages: readonly Language[] = [
  {
    name: "javascript",
    check: [process.execPath, "--version"],
    driver: [process.execPath, pathOf("javascript/conformance/driver.mjs")],
    prepare: async () => {
      await run(process.execPath, [pathOf("javascript/tools/build.mjs")]);
      return process.env;
    },
  },
  {
    name: "python",
    check: ["python3", "-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"],
    driver: ["python3", pathOf("python/conformance/driver.py")],
    prepare: pythonEnvironment,
  },
  {
    name: "php",
    check: [
      "php",
      "-r",
      'exit((int) !(PHP_VERSION_ID >= 80100 && extension_loaded("curl") && function_exists("mb_substr")));',
    ],
    driver: ["php", pathOf("php/conformance/driver.php")],
    prepare: async () => process.env,
  },
  {
    name: "ruby",
    check: ["ruby", "-e", 'exit(Gem::Version.new(RUBY_VERSION) >= Gem::Version.new("3.1"))'],
    driver: ["ruby", pathOf("ruby/conformance/driver.rb")],
    prepare: async () => process.env,
  },
];

/** Whether this machine can run a language's client. */
export function isThere({ check: [program = "", ...args] }: Language): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A virtual environment with what the client depends on; made anew when that has changed. */
async function pythonEnvironment(): Promise<NodeJS.ProcessEnv> {
  const folder = join(cache, "python");
  const project = await readFile(pathOf("python/pyproject.toml"), "utf8");
  const installed = join(folder, "pyproject.toml");
  if (!existsSync(installed) || (await readFile(installed, "utf8")) !== project) {
    await mkdir(cache, { recursive: true });
    await run("python3", ["-m", "venv", "--clear", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", pathOf("python")]);
    // The package itself is taken from the source.
    await run(join(folder, "bin/pip"), ["uninstall", "--quiet", "--yes", "beatmarket"]);
    await writeFile(installed, project);
  }
  return { ...process.env, PATH: [join(folder, "bin"), process.env.PATH].join(delimiter) };
}
