import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type LanguageWithExamples, languages } from "./languages.ts";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../../", import.meta.url));

/** How a program ended that ran in a folder. */
export interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** A folder in which programs of a language find its client. */
export interface Workshop {
  folder: string;
  /** Runs a file of the folder. Resolves, whatever its exit status. */
  run(file: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome>;
}

/** What comes before the file, by what the folder then has. */
const interpreters: Record<LanguageWithExamples, (folder: string) => Promise<{ command: string[]; env?: object }>> = {
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
  ruby: async () => ({ command: ["ruby", "-I", join(clients, "ruby/lib")] }),
};

/** Makes a folder fit for programs of a language, or of the shell. */
export async function makeWorkshop(language: LanguageWithExamples | "curl", folder: string): Promise<Workshop> {
  const { command, env: own } =
    language === "curl" ? { command: ["sh"], env: {} } : await interpreters[language](folder);
  const prepared = (await languages.find(({ name }) => name === language)?.prepare()) ?? process.env;
  const [program = "", ...before] = command;
  return {
    folder,
    run: async (file, args = [], env = {}) => {
      const options = { cwd: folder, env: { ...prepared, ...own, ...env } };
      return await run(program, [...before, file, ...args], options).then(
        ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ status: Number(code), stdout: String(stdout), stderr: String(stderr) }),
      );
    },
  };
}
