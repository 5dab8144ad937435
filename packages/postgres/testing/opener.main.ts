import { createInterface } from "node:readline";
import { sql } from "kysely";
import { connect } from "../src/connection/connect.ts";
import { claimDataDir } from "../src/embedded/claim.ts";
import { openEmbedded } from "../src/embedded/open-embedded.ts";

// A process that uses a data folder, for tests that need several processes or kill them. Arguments: the task ("open"
// the database or "claim" the folder) and the data folder. Reads SQL from standard input, one statement a line. Writes
// results to standard output, one line of JSON each. Closes at the end of standard input.
const [task, dataDir = ""] = process.argv.slice(2);
const print = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);

try {
  if (task === "claim") {
    const claim = await claimDataDir(dataDir);
    print({ claimed: true });
    for await (const _ of process.stdin);
    await claim.release();
  } else {
    const server = await openEmbedded(dataDir, (log) => print({ log }));
    const database = connect(server.addressFor("beatmarket"), { max: 1 });
    print({ opened: true });
    for await (const text of createInterface(process.stdin)) print((await sql.raw(text).execute(database.query)).rows);
    await database.close();
    await server.close();
  }
} catch (error) {
  print({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.exitCode = 1;
}
