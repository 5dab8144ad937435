import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
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

const goProgram = `package main

import (
	"encoding/json"
	"fmt"

	"beatmarket.example/beatmarket"
	"beatmarket.example/beatmarket/beatmarkettest"
)

func main() {
	var event struct{ Type string }
	if err := json.Unmarshal(beatmarkettest.Event("beat.created"), &event); err != nil {
		panic(err)
	}
	fmt.Println(beatmarket.Version, event.Type)
}
`;

interface Project {
  /** Prepares an empty folder, if the language needs that. */
  begin?: string;
  /** Settings that install into this folder without the network. */
  env: Record<string, string>;
  /** A program that prints the version of the library, and the type of a recorded delivery. */
  program: { file: string; text: string; run: string };
}

/** A project of a user in each language. */
const projects = (project: string): Record<keyof typeof packages, Project> => ({
  javascript: {
    begin: "npm init --yes > npm.log",
    env: { npm_config_offline: "true", npm_config_audit: "false" },
    program: {
      file: "version.mjs",
      text: 'import { version } from "beatmarket";\nimport { event } from "beatmarket/testing";\nconsole.log(version, JSON.parse(event("beat.created")).type);\n',
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
      text: 'import json\nfrom importlib.metadata import version\n\nfrom beatmarket import testing\n\nprint(version("beatmarket"), json.loads(testing.event("beat.created"))["type"])\n',
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
      text: "<?php\nrequire 'vendor/autoload.php';\n$event = json_decode(BeatMarket\\Testing\\FakeTransport::event('beat.created'));\necho BeatMarket\\Client::VERSION, ' ', $event->type, \"\\n\";\n",
      run: "php version.php",
    },
  },
  ruby: {
    env: { HOME: project, GEM_SPEC_CACHE: join(project, "specs") },
    program: {
      file: "version.rb",
      text: 'require "beatmarket"\nputs "#{BeatMarket::VERSION} #{JSON.parse(BeatMarket::Testing.event("beat.created"))["type"]}"\n',
      run: "ruby version.rb",
    },
  },
  go: {
    begin: "go mod init beats 2> go.log",
    env: { GOPROXY: "off", GOFLAGS: "-mod=mod" },
    program: {
      file: "main.go",
      text: goProgram,
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
  "the README of %s begins with the install line of snippets, which installs the library with recorded deliveries",
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
    expect((await shell(program.run)).stdout.trim()).toBe(`${libraryVersion} beat.created`);
  },
);

/** For each language: the folder in which a README's lines for a clone begin, and the folder of its programs afterwards. */
const cloneFolders = {
  javascript: { begin: "..", program: "../beats" },
  ruby: { begin: ".", program: "." },
  go: { begin: "..", program: "../beats" },
};

test.for(Object.entries(cloneFolders))(
  "the lines of the README of %s for a clone install the library and set the demo key",
  { timeout: 120_000 },
  async ([name, { begin, program: at }], { skip }) => {
    const language = name as keyof typeof cloneFolders;
    if (!(await canInstall(language))) skip();
    const clone = join(folder, `${language}-of-a-clone/clone`);
    await mkdir(join(clone, ".data/tls"), { recursive: true });
    await mkdir(join(clone, "clients"));
    await writeFile(join(clone, ".data/demo-key"), "bm_demo\n");
    const source = join(import.meta.dirname, "..", language);
    // A build writes next to the sources, so it runs in a copy. JavaScript finds its compiler from the folder: no copy.
    if (language === "javascript") await symlink(source, join(clone, "clients", language));
    else await cp(source, join(clone, "clients", language), { recursive: true });
    const readme = await readFile(join(source, "README.md"), "utf8");
    const lines = [...readme.matchAll(/```sh\n(.*?)```/gs)][1]?.[1] ?? "";
    const { env, program } = projects(dirname(clone))[language];
    const after = `cd ${join(clone, at)}; cat > ${program.file}; ${program.run}; echo $BEATMARKET_API_KEY`;
    const running = run("bash", ["-euo", "pipefail", "-c", `{ ${lines}} > install.log\n${after}`], {
      cwd: join(clone, begin),
      env: { ...process.env, ...env },
    });
    running.child.stdin?.end(program.text);
    expect((await running).stdout).toBe(`${libraryVersion} beat.created\nbm_demo\n`);
  },
);

test("SHA256SUMS has the checksum of every package", async () => {
  const { stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: offered });
  const names = [...Object.values(packages).map(({ file }) => file), "beatmarket-cli.tgz"];
  expect(stdout.trim().split("\n").sort()).toEqual(names.map((name) => `${name}: OK`).sort());
});
