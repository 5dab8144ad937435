import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { backupCommand } from "../../src/commands/backup/backup.ts";
import { beatsCommand } from "../../src/commands/beats/beats.ts";
import { callsCommand } from "../../src/commands/calls.ts";
import { claimsCommand } from "../../src/commands/claims.ts";
import { genresCommand } from "../../src/commands/genres.ts";
import { importCommand } from "../../src/commands/import.ts";
import { importsCommand } from "../../src/commands/imports.ts";
import { keysCommand } from "../../src/commands/keys.ts";
import { ledgerCommand } from "../../src/commands/ledger.ts";
import { licensesCommand } from "../../src/commands/licenses.ts";
import { migrateCommand } from "../../src/commands/migrate.ts";
import { ordersCommand } from "../../src/commands/orders/orders.ts";
import { secretsCommand } from "../../src/commands/secrets.ts";
import { serveCommand } from "../../src/commands/serve.ts";
import { storageCommand } from "../../src/commands/storage.ts";
import { upgradeCommand } from "../../src/commands/upgrade.ts";
import { usersCommand } from "../../src/commands/users.ts";
import { webhooksCommand } from "../../src/commands/webhooks/webhooks.ts";
import { workerCommand } from "../../src/commands/worker.ts";
import { writtenFiles } from "../harness/documents/documents.ts";

// Every command line in a document is one that the program takes: `npx beatmarket …` here, `main.ts …` in a container.

const program = new Command("beatmarket");
for (const register of [
  backupCommand,
  beatsCommand,
  callsCommand,
  claimsCommand,
  genresCommand,
  importCommand,
  importsCommand,
  keysCommand,
  licensesCommand,
  ledgerCommand,
  migrateCommand,
  ordersCommand,
  serveCommand,
])
  register(program);
for (const register of [secretsCommand, storageCommand, upgradeCommand, usersCommand, webhooksCommand, workerCommand])
  register(program);

/** What the program would not take of a command line; empty for nothing. */
function faults(line: string): string[] {
  const words = line.trim().split(/\s+/);
  let command: Command | undefined = program;
  let depth = 0;
  while (command !== undefined && command.commands.length > 0) {
    command = command.commands.find((its: Command) => its.name() === words[depth]);
    depth++;
  }
  if (command === undefined) return [`no command: ${line}`];
  const known = ["--help", ...command.options.map(({ long }) => long)];
  const flags = words.filter((word) => /^--[a-z]/.test(word));
  return flags.filter((flag) => !known.includes(flag)).map((flag) => `no option ${flag}: ${line}`);
}

test("every command in a document is one that there is, with options that it has", async () => {
  const files = await writtenFiles(join(import.meta.dirname, "../../.."));
  const lines = files
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap(({ text }) => [...text.matchAll(/(?:npx beatmarket|node server\/src\/main\.ts) ([a-z][^`\n#|]*)/g)])
    .map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.flatMap(faults)).toEqual([]);
});

test.each([
  ["keys create --email a@example.com", 0],
  ["keys make --email a@example.com", 1],
  ["webhooks replay 12 --failed --forever", 1],
  ["keys", 1],
])("beatmarket %s", (line, count) => {
  expect(faults(line)).toHaveLength(count);
});
