import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { readProgram } from "../../src/commands/program.ts";
import { writtenFiles } from "../harness/documents/documents.ts";

// The program accepts every command line in a document: `npx beatmarket …`, or `node server/src/main.ts …` in a
// container.

const program = await readProgram([], { allInFull: true });

/** The parts of a command line that the program refuses; empty for none. */
function findFaults(line: string): string[] {
  const words = line.trim().split(/[.,:)]*(?:\s+|$)/);
  let command: Command | undefined = program;
  let depth = 0;
  while (command !== undefined && command.commands.length > 0) {
    command = command.commands.find((command: Command) => command.name() === words[depth]);
    depth++;
  }
  if (command === undefined) return [`no command: ${line}`];
  const knownOptions = ["--help", ...command.options.map(({ long }) => long)];
  const flags = words.filter((word) => /^--[a-z]/.test(word));
  return flags.filter((flag) => !knownOptions.includes(flag)).map((flag) => `no option ${flag}: ${line}`);
}

test("every command in a document exists, with its options", async () => {
  const files = await writtenFiles(join(import.meta.dirname, "../../.."));
  const lines = files
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap(({ text }) => [...text.matchAll(/(?:npx beatmarket|node server\/src\/main\.ts) ([a-z][^`\n#|]*)/g)])
    .map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.flatMap(findFaults)).toEqual([]);
});

const groups = program.commands.filter(({ commands }) => commands.length > 0).map((command) => command.name());

/** Texts for people: documents, the portal, the output of the server and the commands, units, manifests and alerts. */
const isRead = (path: string) =>
  /\.(md|tsx?|mjs|ya?ml|json|service|sh|html)$/.test(path) &&
  !/\.test\.tsx?$|^(server|portal)\/test\/|^contract\/|\/snippets\/|^CHANGELOG/.test(path);

/**
 * Command lines in any text: after `npx`, in code, in quotes, or on a separate line, as in the examples of `--help`.
 */
const commandLinesIn = (text: string): string[] =>
  [...text.matchAll(/(?:npx |[`">]|^ *(?:\$ )?)beatmarket ([a-z][^`"<>\\\n#|;)]*)/gm)].map(([, line = ""]) =>
    line.trim(),
  );

/** Locks, sessions and files also have the name of the program. */
const isNoCommand = (path: string, line: string) =>
  /^(server|packages\/[^/]+)\/src\//.test(path) &&
  /^(index\b.*|reads|start|demo|export|secret box.*|\w+ \$\{purpose\})$/.test(line);
/** `beatmarket backup` may mean all subcommands. */
const isGroup = (line: string) => groups.includes(line);

/** Names of commands without the program's name, as in `orders refund 12`. */
const commandNames = (text: string): string[] =>
  [...text.matchAll(new RegExp(`\`((?:${groups.join("|")}) [a-z][^\`\\n#|]*)\``, "g"))].map(([, line = ""]) => line);

test("every command that any text names exists, with its options", async () => {
  const files = (await writtenFiles(join(import.meta.dirname, "../../.."))).filter(({ path }) => isRead(path));
  const lines = files.flatMap(({ path, text }) =>
    [...commandLinesIn(text), ...(path.endsWith(".md") ? commandNames(text) : [])]
      .filter((line) => !isNoCommand(path, line) && !isGroup(line))
      .map((line) => ({ path, line })),
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.flatMap(({ path, line }) => findFaults(line).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test.each([
  ["keys create --email a@example.com", 0],
  ["keys make --email a@example.com", 1],
  ["webhooks replay 12 --failed --forever", 1],
  ["keys", 1],
])("the command line `beatmarket %s` has %i problems", (line, count) => {
  expect(findFaults(line)).toHaveLength(count);
});
