import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import type { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import { readProgram } from "./program.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

const bin = join(root, "server/bin/beatmarket.mjs");

/** The words after "npx beatmarket" in the documents: ["keys create", "import tracks", ...]. */
async function documentedCommands(): Promise<Set<string>> {
  const inDocs = (await readdir(join(root, "docs"), { recursive: true })).map((name) => join("docs", name));
  const pages = ["README.md", ...inDocs].filter((name) => name.endsWith(".md"));
  const text = (await Promise.all(pages.map((page) => readFile(join(root, page), "utf8")))).join("\n");
  return new Set([...text.matchAll(/npx beatmarket ([a-z]+( [a-z]+)?)/g)].map(([, words = ""]) => words));
}

test.each([".", "docs"])("npx beatmarket runs the service's command in %s, without a download", async (folder) => {
  const { stdout } = await run("npx", ["--no", "--", "beatmarket", "--help"], { cwd: join(root, folder) });
  expect(stdout).toMatch(/^Usage: beatmarket \[options\] \[command\]/m);
});

test("every npx beatmarket command in the documents exists", async () => {
  const documented = [...(await documentedCommands())].map((words) => words.split(" "));
  const names = new Set(documented.map(([name = ""]) => name));
  expect(names.size).toBeGreaterThan(5);
  const program = await readProgram([], { allInFull: true });
  for (const [name, inner] of documented) {
    const command = program.commands.find((subcommand) => subcommand.name() === name);
    expect(command, name).toBeDefined();
    if (inner === undefined || command?.commands.length === 0) continue;
    expect(
      command?.commands.map((subcommand) => subcommand.name()),
      name,
    ).toContain(inner);
  }
});

/** Each command that does something, by its words: "backup create". */
function leavesOf(command: Command, words: readonly string[] = []): { words: string; command: Command }[] {
  if (command.commands.length === 0) return [{ words: words.join(" "), command }];
  return command.commands.flatMap((below) => leavesOf(below, [...words, below.name()]));
}

test("every command explains itself and its options with --help, and has the option --json", async () => {
  const leaves = leavesOf(await readProgram([], { allInFull: true }));
  expect(leaves.length).toBeGreaterThan(50);
  for (const { words, command } of leaves) {
    const help = command.helpInformation();
    expect(help).toContain(`Usage: beatmarket ${words} `);
    expect(command.description(), words).toMatch(/^\S.{15,}/s);
    for (const { long, description } of command.options) expect(description, `${words} ${long}`).not.toBe("");
    // Only shells read the output of these.
    if (words === "completion" || words === "complete") continue;
    expect(
      command.options.map(({ long }) => long),
      words,
    ).toContain("--json");
  }
});

test("only the command that the parameters name is loaded, also after help", async () => {
  const loaded = async (...parameters: string[]) =>
    (await readProgram(parameters)).commands
      .filter(({ commands }) => commands.length > 0)
      .map((command) => command.name());
  expect(await loaded("--help")).toEqual([]);
  expect(await loaded("unknown")).toEqual([]);
  expect(await loaded("genres", "list")).toEqual(["genres"]);
  expect(await loaded("help", "genres")).toEqual(["genres"]);
});

test("a shell completes commands, options and their choices", async () => {
  const completions = async (...words: string[]) =>
    (await run(process.execPath, [bin, "complete", "--", ...words], { env: programEnv })).stdout
      .split("\n")
      .map((line) => line.split("\t")[0]);
  expect(await completions("pay")).toContain("payouts");
  expect(await completions("payouts", "r")).toEqual(expect.arrayContaining(["run", "resume", "retry"]));
  expect(await completions("payouts", "run", "--o")).toContain("--output");
  expect(await completions("payouts", "run", "--method", "")).toEqual(
    expect.arrayContaining(["sepa", "csv", "stripe"]),
  );
  const { stdout: script } = await run(process.execPath, [bin, "completion", "bash"], { env: programEnv });
  await expect(run("bash", ["-n", "-c", script])).resolves.toMatchObject({ stderr: "" });
});

test("the help has the exit status of backups, the upgrade and personal data, the location of a service's data, and where errors go", async () => {
  const program = await readProgram([], { allInFull: true });
  const helpOf = (command: Command): string => {
    const parts: string[] = [];
    command.configureOutput({ writeOut: (part) => parts.push(part) });
    command.outputHelp();
    return parts.join("");
  };
  const ofWords = leavesOf(program).filter(({ words }) => /^(backup|upgrade|users (export|erase))\b/.test(words));
  expect(ofWords).toHaveLength(8);
  for (const { words, command } of ofWords) {
    const help = helpOf(command);
    expect(help, words).toMatch(/^Exit status: 0 .+/m);
    if (words.startsWith("users")) expect(help, words).toMatch(/^Environment: DATA_DIR .*DATABASE_URL/m);
  }
  expect(helpOf(program)).toContain("Errors are text on standard error");
});

test("a data folder without a database is refused, and left unchanged, by commands that do not create one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-empty-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "empty"));
  const commands = ["keys create --email a@example.com", "users create --email a@example.com", "migrate", "worker"];
  await Promise.all(
    commands.map(async (words, index) => {
      const dataDir = join(folder, index % 2 === 0 ? "typo" : "empty");
      const env = { ...programEnv, DATA_DIR: dataDir };
      await expect(run(process.execPath, [bin, ...words.split(" ")], { env }), words).rejects.toMatchObject({
        code: 1,
        stdout: "",
        stderr: `error: DATA_DIR ${dataDir} has no database. Set DATA_DIR or DATABASE_URL to your service's, or start the service there first: npm start.\n`,
      });
    }),
  );
  expect(await readdir(folder, { recursive: true })).toEqual(["empty"]);
});

test.each([
  ["an unknown command", ["beets"], "unknown command 'beets'"],
  ["an unknown option", ["doctor", "--loud"], "unknown option '--loud'"],
  ["a missing required option", ["payouts", "run"], "required option '--method <method>' not specified"],
  ["an invalid value", ["payouts", "retry", "x"], "argument 'id'"],
  ["a group without a command", ["keys"], "Usage: beatmarket keys"],
])("%s has exit status 2, unlike failed work", async (_, words, sentence) => {
  await expect(run(process.execPath, [bin, ...words], { env: programEnv })).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(sentence),
  });
});

test("the root, server, portal, bench and clients have different package names, so that npx finds the right program", async () => {
  const files = ["", "server", "portal", "bench", "clients", "clients/javascript"].map((folder) =>
    join(root, folder, "package.json"),
  );
  const names = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, "utf8")).name as string));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("beatmarket-server");
  expect(names.at(-1)).toBe("beatmarket");
});
