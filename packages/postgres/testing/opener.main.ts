import { createInterface } from "node:readline";
import { sql } from "kysely";
import { connect } from "../src/connection/connect.ts";
import { claimDataDir } from "../src/embedded/claim.ts";
import { openEmbedded } from "../src/embedded/open-embedded.ts";

// A process that uses a data folder, for tests that need several or kill them. Arguments: what to do ("open" the
// database, "claim" the folder) and the data folder. It answers with lines of JSON, takes SQL on standard input, a
// line each, and closes at its end.
const [task, dataDir = ""] = process.argv.slice(2);
const answer = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);

try {
  if (task === "claim") {
    const claim = await claimDataDir(dataDir);
    answer({ claimed: true });
    for await (const _ of process.stdin);
    await claim.release();
  } else {
    const server = await openEmbedded(dataDir, (log) => answer({ log }));
    const database = connect(server.addressFor("beatmarket"), { max: 1 });
    answer({ opened: true });
    for await (const text of createInterface(process.stdin)) answer((await sql.raw(text).execute(database.query)).rows);
    await database.close();
    await server.close();
  }
} catch (error) {
  answer({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.exitCode = 1;
}
