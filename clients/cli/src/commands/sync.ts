import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { GoneError } from "../../../javascript/src/errors.ts";
import { clientOf } from "../api.ts";
import { type GlobalOptions, serverOf } from "../connection.ts";
import { print, type Run, stopSignal } from "../run.ts";
import { openMirror } from "../sync/mirror.ts";

interface SyncOptions {
  follow?: true;
}

/** The number of changes in one call. */
const pageSize = 1_000;

/** `sync DIR`: a mirror of the catalogue in SQLite. */
export function syncCommand(program: Command, run: Run): void {
  const command = program
    .command("sync")
    .summary("Mirror the catalogue into SQLite.")
    .description(
      "Mirror the beats on sale into DIR/beats.db (SQLite), or bring an existing mirror up to date. The command may be stopped or killed at any moment; the next call continues. The key needs beats:read.",
    )
    .argument("<dir>", "the folder of the mirror, created if it does not exist")
    .option("--follow", "keep running, and apply changes as they happen");
  command.action((dir: string, options: SyncOptions) => run(command, (globals) => sync(dir, options, globals)));
}

async function sync(dir: string, { follow }: SyncOptions, globals: GlobalOptions): Promise<void> {
  const client = clientOf(globals, process.env);
  mkdirSync(dir, { recursive: true });
  const mirror = openMirror(join(dir, "beats.db"), serverOf(globals, process.env).baseUrl);
  const signal = stopSignal();
  const load = async (): Promise<number> => {
    const beats = await client.exports.beats(join(dir, "export.ndjson.gz"), { signal });
    return mirror.load(beats.position, beats);
  };
  const report = (): void => {
    const facts = { beats: mirror.count(), position: mirror.position(), file: join(dir, "beats.db") };
    print(globals.json === true ? JSON.stringify(facts) : `${facts.beats} beats in ${facts.file}, up to date`);
  };
  try {
    for (let isCurrent = false; !signal.aborted; ) {
      const after = mirror.position() ?? (await load());
      const wait = follow === true && isCurrent ? 30 : 0;
      const page = await client.changes.list({ after, limit: pageSize, wait }, { signal }).catch((error) => {
        // The mirror is older than the oldest stored change, so it must be loaded again.
        if (error instanceof GoneError) return null;
        throw error;
      });
      if (page === null) await load();
      else mirror.apply(after, page);
      if (page === null || page.changes.length === pageSize) continue;
      if (!isCurrent || page.changes.length > 0) report();
      isCurrent = true;
      if (follow !== true) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    mirror.close();
  }
}
