import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "../src/connection/connect.ts";
import { openEmbedded } from "../src/embedded/open-embedded.ts";
import { urlOf } from "./database-url.ts";

// Holds an embedded PostgreSQL in a folder of its own until standard input ends, as when the parent
// process exits. Prints the URL when ready.

const parentLeft = once(process.stdin.resume(), "close");
const folder = await mkdtemp(join(tmpdir(), "beatmarket-scratch-"));
try {
  // Open to PostgreSQL's unprivileged user, so that as root, too, everything is in this folder.
  await chmod(folder, 0o755);
  const server = await openEmbedded(folder, () => {});
  try {
    const url = urlOf(server.addressFor("beatmarket"));
    await forgetDurability(url);
    console.log(url);
    await parentLeft;
  } finally {
    await server.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

// Nothing here has to survive a power cut.
async function forgetDurability(url: string): Promise<void> {
  const server = connect({ url }, { max: 1 });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    await sql`alter system set ${sql.id(setting)} = off`.execute(server.query);
  await sql`select pg_reload_conf()`.execute(server.query);
  await server.close();
}
