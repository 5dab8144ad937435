import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installLine, libraryVersion, packages } from "../../contract/snippets/install.ts";
import { languages } from "../conformance/runner/languages.ts";
import { packAll } from "./pack.ts";

const run = promisify(execFile);

let folder: string;
let offered: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-packages-"));
  offered = join(folder, "portal/packages");
  await packAll(offered);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Project {
  /** Prepares an empty folder, if the language needs that. */
  begin?: string;
  /** Settings that install into this folder without the network. */
  env: Record<string, string>;
  /** A program that prints the version of the library. */
  program: { file: string; text: string; run: string };
}

/** A project of a user in each language. */
const projects = (project: string): Record<keyof typeof packages, Project> => ({
  javascript: {
    begin: "npm init --yes > npm.log",
    env: { npm_config_offline: "true", npm_config_audit: "false" },
    program: {
      file: "version.mjs",
      text: 'import { version } from "beatmarket";\nconsole.log(version);\n',
      run: "node version.mjs",
    },
  },
  python: {
    begin: "python3 -m venv .venv",
    env: {
      PATH: [join(project, ".venv/bin"), process.env.PATH].join(delimiter),
      PIP_NO_DEPS: "1",
      PIP_NO_INDEX: "1",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
    },
    program: {
      file: "version.py",
      text: 'from importlib.metadata import version\nprint(version("beatmarket"))\n',
      run: "python3 version.py",
    },
  },
  php: {
    begin: "composer init --no-interaction --name=my/beats",
    env: {
      COMPOSER_HOME: join(project, "composer"),
      COMPOSER_DISABLE_NETWORK: "1",
      COMPOSER_ALLOW_SUPERUSER: "1",
    },
    program: {
      file: "version.php",
      text: "<?php\nrequire 'vendor/autoload.php';\necho BeatMarket\\Client::VERSION, \"\\n\";\n",
      run: "php version.php",
    },
  },
  ruby: {
    env: { HOME: project, GEM_SPEC_CACHE: join(project, "specs") },
    program: {
      file: "version.rb",
      text: 'require "beatmarket"\nputs BeatMarket::VERSION\n',
      run: "ruby version.rb",
    },
  },
  go: {
    begin: "go mod init beats 2> go.log",
    env: { GOPROXY: "off", GOFLAGS: "-mod=mod" },
    program: {
      file: "main.go",
      text: 'package main\n\nimport (\n\t"fmt"\n\n\t"beatmarket.example/beatmarket"\n)\n\nfunc main() { fmt.Println(beatmarket.Version) }\n',
      run: "go run .",
    },
  },
});

/** The program that installs packages, if it is separate from the language. */
const installers = { javascript: ["npm"], python: [], php: ["composer"], ruby: ["gem"], go: [] };

/**
 * Whether the language (by the check of the conformance suite) and the program that installs packages are available.
 */
async function canInstall(language: keyof typeof packages): Promise<boolean> {
  const [command = "", ...words] = languages.find(({ name }) => name === language)?.check ?? [];
  const checks = installers[language].map((program) => run(program, ["--version"]));
  return Promise.all([run(command, words), ...checks]).then(
    () => true,
    () => false,
  );
}

const packageNames = Object.keys(packages) as (keyof typeof packages)[];

test.for(packageNames)(
  "the line beside a snippet of %s, with which its README begins, installs the library",
  { timeout: 120_000 },
  async (language, { skip }) => {
    if (!(await canInstall(language))) skip();
    const project = join(folder, language);
    await mkdir(project);
    const { begin, env, program } = projects(project)[language];
    await writeFile(join(project, program.file), program.text);
    const server = "https://beats.example.com";
    const readme = await readFile(join(import.meta.dirname, "..", language, "README.md"), "utf8");
    const line = /```sh\n(.*)\n/.exec(readme)?.[1] ?? "";
    expect(line).toBe(installLine(language, { baseUrl: `${server}/v1`, keyVariable: "KEY" }));
    const shell = (command: string) =>
      run("bash", ["-euo", "pipefail", "-c", command], { cwd: project, env: { ...process.env, ...env } });
    if (begin !== undefined) await shell(begin);
    await shell(line.replace(server, `file://${folder}`));
    expect((await shell(program.run)).stdout.trim()).toBe(libraryVersion);
  },
);

test("SHA256SUMS has the checksum of every package", async () => {
  const { stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: offered });
  const names = [...Object.values(packages).map(({ file }) => file), "beatmarket-cli.tgz"];
  expect(stdout.trim().split("\n").sort()).toEqual(names.map((name) => `${name}: OK`).sort());
});
