import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { leftOutByCommandLine } from "./command-line.ts";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../../", import.meta.url));
const root = join(clients, "..");
/** Dependencies of the drivers, cached for the next run. */
const cache = join(root, "node_modules/.cache/beatmarket-clients");

export interface Language {
  name: "javascript" | "python" | "php" | "ruby" | "go" | "cli";
  /** A command that succeeds if the language and the extensions that its client needs are installed. */
  check: readonly string[];
  driver: readonly string[];
  /** Prepares the client and returns the environment for the driver. */
  prepare(): Promise<NodeJS.ProcessEnv>;
  /** The reason why the language cannot run a scenario; undefined if it can. `scenario` is the name of the scenario. */
  leftOut?(scenario: string): string | undefined;
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
  {
    name: "go",
    check: ["sh", "-c", 'cd "$0" && go vet .', pathOf("go")],
    // `go run` would leave the program running when the command is ended, so build the program and run it directly.
    driver: [join(cache, "go-driver")],
    prepare: async () => {
      await run("go", ["build", "-o", join(cache, "go-driver"), "./conformance"], { cwd: pathOf("go") });
      return process.env;
    },
  },
  {
    name: "cli",
    check: [process.execPath, "--version"],
    driver: [process.execPath, pathOf("cli/conformance/driver.mjs")],
    prepare: async () => {
      await run(process.execPath, [pathOf("cli/tools/build.mjs")]);
      return process.env;
    },
    leftOut: leftOutByCommandLine,
  },
];

/** The languages with a library, whose programs the tests run. */
export type Library = Exclude<Language["name"], "cli">;
export const libraries = languages.filter(
  (language): language is Language & { name: Library } => language.name !== "cli",
);

/** Whether the language is installed. */
export function isInstalled({ check: [program = "", ...args] }: Language): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A virtual environment with the client's dependencies, one for each state of pyproject.toml. */
async function pythonEnvironment(): Promise<NodeJS.ProcessEnv> {
  const project = await readFile(pathOf("python/pyproject.toml"));
  const folder = join(cache, `python-${createHash("sha256").update(project).digest("hex").slice(0, 16)}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    // Test files do this at the same time. Each builds its own environment, and the first complete one becomes the
    // shared one.
    const newFolder = await mkdtemp(join(cache, "making-python-"));
    try {
      const python = join(newFolder, "bin/python3");
      const pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
      await run("python3", ["-m", "venv", newFolder]);
      await run(python, [...pip, "install", "--no-compile", pathOf("python")]);
      // The driver imports the package from the source.
      await run(python, [...pip, "uninstall", "--yes", "beatmarket"]);
      await rename(newFolder, folder).catch((error) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(newFolder, { recursive: true, force: true });
    }
  }
  const { PYTHONDONTWRITEBYTECODE: _, ...env } = process.env;
  return {
    ...env,
    PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
    // Hundreds of short programs run, and compiling the packages would take a third of the time of each.
    PYTHONPYCACHEPREFIX: join(folder, "bytecode"),
  };
}
