import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { endWithThisProcess } from "./end-with.ts";
import type { Library } from "./languages.ts";
import type { Workshop } from "./programs.ts";

/** Programs that run one after the other in one process, since starting a process takes longer than a short program. */
export interface Series {
  /** Runs a program by its index. Resolves to its output. Rejects with its standard error if it fails. */
  run(index: number): Promise<string>;
  close(): Promise<void>;
}

/** A program that runs each file named on its standard input, and prints NUL after each. */
interface Launcher {
  ending: string;
  source(files: readonly string[]): string;
  /** Adapts the source of a program for its file. */
  program?(source: string, index: number): string;
  /** Compiles the folder. Returns the command that replaces interpreter and launcher. */
  build?(folder: string, workshop: Workshop): Promise<string[]>;
}

const launchers: Record<Library, Launcher> = {
  javascript: {
    ending: "mjs",
    source: () => `import { createInterface } from "node:readline";
for await (const file of createInterface({ input: process.stdin })) {
  await import(file);
  process.stdout.write("\\0");
}
`,
  },
  python: {
    ending: "py",
    source: () => `import runpy
import sys

for line in sys.stdin:
    runpy.run_path(line.rstrip("\\n"), run_name="__main__")
    print(end="\\0", flush=True)
`,
  },
  php: {
    ending: "php",
    source: () => `<?php
while (($line = fgets(STDIN)) !== false) {
    (static function (string $file): void {
        require $file;
    })(rtrim($line, "\\n"));
    echo "\\0";
}
`,
  },
  ruby: {
    ending: "rb",
    source: () => `$stdout.sync = true
while (line = $stdin.gets)
  load line.chomp
  print "\\0"
end
`,
  },
  go: {
    ending: "go",
    source: (files) => `package main

import (
	"bufio"
	"fmt"
	"os"
)

var programs = map[string]func(){
${files.map((file, index) => `\t${JSON.stringify(file)}: program${index},`).join("\n")}
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		programs[lines.Text()]()
		fmt.Print("\\x00")
	}
}
`,
    program: (source, index) => source.replace("\nfunc main() {\n", `\nfunc program${index}() {\n`),
    build: async (folder, { env, folder: cwd }) => {
      const binary = join(folder, "programs");
      await promisify(execFile)("go", ["build", "-o", binary, folder], { cwd, env });
      return [binary];
    },
  },
};

/** Prepares programs of a language in a folder of its workshop. `env` is added to their environment. */
export async function makeSeries(
  language: Library,
  workshop: Workshop,
  sources: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Series> {
  const { ending, source, program = (text) => text, build } = launchers[language];
  const folder = join(workshop.folder, "series");
  await mkdir(folder);
  const files = sources.map((_, index) => join(folder, `program-${index}.${ending}`));
  for (const [index, text] of sources.entries()) await writeFile(files[index] ?? "", program(text, index));
  const launcher = join(folder, `launcher.${ending}`);
  await writeFile(launcher, source(files));
  const [command = "", ...args] = (await build?.(folder, workshop)) ?? [...workshop.command, launcher];

  let child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  const start = () => {
    const newChild = spawn(command, args, {
      cwd: workshop.folder,
      env: { ...workshop.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    endWithThisProcess(newChild);
    newChild.stdout.setEncoding("utf8");
    newChild.stderr.setEncoding("utf8");
    return newChild;
  };
  return {
    run: async (index) => {
      child ??= start();
      const { stdin, stdout, stderr } = child;
      let output = "";
      let errors = "";
      const collectError = (text: string): void => {
        errors += text;
      };
      stderr.on("data", collectError);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const collectOutput = (text: string): void => {
        output += text;
        if (output.endsWith("\0")) resolve(output.slice(0, -1));
      };
      const fail = (): void => {
        child = undefined;
        reject(new Error(errors));
      };
      stdout.on("data", collectOutput);
      child.once("close", fail).once("error", reject);
      stdin.write(`${files[index]}\n`);
      try {
        return await promise;
      } finally {
        stderr.off("data", collectError);
        stdout.off("data", collectOutput);
        child?.off("close", fail).off("error", reject);
      }
    },
    close: async () => {
      if (child === undefined) return;
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
