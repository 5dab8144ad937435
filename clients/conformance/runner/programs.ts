import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Library, languages } from "./languages.ts";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../../", import.meta.url));

/** The result of a program. */
export interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** A folder in which programs of a language find its client. */
export interface Workshop {
  folder: string;
  /** The command line before the name of the file. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Runs a file of the folder. Resolves, whatever its exit status. */
  run(file: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome>;
}

/** Prepares a folder for a language. Returns the command line before the name of the file. */
const interpreters: Record<Library, (folder: string) => Promise<{ command: string[]; env?: object }>> = {
  javascript: async (folder) => {
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await symlink(join(clients, "javascript"), join(folder, "node_modules/beatmarket"));
    return { command: [process.execPath] };
  },
  python: async () => ({
    command: ["python3"],
    env: { PYTHONPATH: join(clients, "python/src"), PYTHONIOENCODING: "utf-8" },
  }),
  php: async (folder) => {
    await mkdir(join(folder, "vendor"), { recursive: true });
    await writeFile(join(folder, "vendor/autoload.php"), `<?php require '${join(clients, "php/autoload.php")}';\n`);
    return { command: ["php"] };
  },
  go: async (folder) => {
    const client = join(clients, "go");
    const module = "beatmarket.example/beatmarket";
    await writeFile(
      join(folder, "go.mod"),
      `module program\n\ngo 1.24\n\nrequire ${module} v0.1.0\n\nreplace ${module} => ${client}\n`,
    );
    // Programs run with a different HOME, in which Go would compile the library again.
    const { stdout } = await run("go", ["env", "GOCACHE"]);
    // `go run` always exits with 1 after a failure and prints an additional line, so build the program and run it
    // directly.
    const command = ["sh", "-c", 'go build -o "$0.program" "$0" && exec "./$0.program" "$@"'];
    return { command, env: { GOCACHE: stdout.trim() } };
  },
  ruby: async () => ({ command: ["ruby", "-I", join(clients, "ruby/lib")] }),
};

/** Prepares a folder in which programs of a language, or curl commands, can run. */
export async function makeWorkshop(language: Library | "curl", folder: string): Promise<Workshop> {
  const { command, env: ownEnv } =
    language === "curl" ? { command: ["sh"], env: {} } : await interpreters[language](folder);
  const preparedEnv = (await languages.find(({ name }) => name === language)?.prepare()) ?? process.env;
  const [program = "", ...before] = command;
  const base = { ...preparedEnv, ...ownEnv };
  return {
    folder,
    command,
    env: base,
    run: async (file, args = [], env = {}) => {
      const options = { cwd: folder, env: { ...base, ...env } };
      return await run(program, [...before, file, ...args], options).then(
        ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ status: Number(code), stdout: String(stdout), stderr: String(stderr) }),
      );
    },
  };
}
