import type { Command } from "commander";
import { createCommand } from "./create.ts";
import { listCommand } from "./list.ts";
import { pruneCommand } from "./prune.ts";
import { restoreCommand } from "./restore.ts";
import { verifyCommand } from "./verify.ts";

/** `backup`: copies of the database and of producers' files in a vault, and the way back. */
export function backupCommand(program: Command): void {
  const backup = program
    .command("backup")
    .description("Back up the database and the files of producers, and restore them.")
    .addHelpText(
      "after",
      `
A vault is a folder of another disk or a bucket, as BACKUP_VAULT or --vault names it: /mnt/backups, file:///mnt/backups, or
s3://bucket/prefix?endpoint=https://…&region=…&path_style=true. BACKUP_KEY encrypts it. With BACKUP_VAULT \`serve\` backs up by
itself; docs/backups.md explains the rest.`,
    );
  for (const register of [createCommand, listCommand, verifyCommand, pruneCommand, restoreCommand]) register(backup);
}
