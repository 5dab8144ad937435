import { once } from "node:events";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { urlOf } from "@beatmarket/postgres/testing/database-url.ts";
import { readConfig } from "../../src/config.ts";

// Runs the embedded PostgreSQL of DATA_DIR, for programs that connect to it by URL, until standard input ends, which
// happens when the parent process exits. Prints the URL when the database is ready.
// Ctrl-C reaches the parent too, which may still need the database for an orderly end.
process.on("SIGINT", () => {});
const parentLeft = once(process.stdin.resume(), "close");
const server = await openEmbedded(readConfig(process.env).dataDir, () => {});
console.log(urlOf(server.addressFor("beatmarket")));
await Promise.race([parentLeft, once(process, "SIGTERM")]);
await server.close();
process.exit();
