import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "../src/connection/connect.ts";
import { openEmbedded } from "../src/embedded/open-embedded.ts";
import { urlOf } from "./database-url.ts";

// Runs an embedded PostgreSQL in a temporary folder until standard input ends, which the end of the parent process
// causes. Prints the URL when the server is ready.

const parentEnd = once(process.stdin.resume(), "close");
const folder = await mkdtemp(join(tmpdir(), "beatmarket-scratch-"));
try {
  // Lets PostgreSQL's unprivileged account enter. If it could not, root's cluster would be outside of the folder.
  await chmod(folder, 0o755);
  const server = await openEmbedded(folder, () => {});
  try {
    const url = urlOf(server.addressFor("beatmarket"));
    await disableDurability(url);
    console.log(url);
    await parentEnd;
  } finally {
    await server.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

// For speed: the data of a test need not survive a power cut.
async function disableDurability(url: string): Promise<void> {
  const server = connect({ url }, { max: 1 });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    await sql`alter system set ${sql.id(setting)} = off`.execute(server.query);
  await sql`select pg_reload_conf()`.execute(server.query);
  await server.close();
}
