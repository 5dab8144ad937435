import { once } from "node:events";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { urlOf } from "@beatmarket/postgres/testing/database-url.ts";
import { readConfig } from "../../src/config.ts";

// Holds the embedded PostgreSQL of DATA_DIR, for programs that reach it by URL, until standard input ends, which it does
// when the parent process exits. Prints the URL when ready.
// Ctrl-C reaches the parent as well, which may still need the database to end in order.
process.on("SIGINT", () => {});
const parentLeft = once(process.stdin.resume(), "close");
const server = await openEmbedded(readConfig(process.env).dataDir, () => {});
console.log(urlOf(server.addressFor("beatmarket")));
await Promise.race([parentLeft, once(process, "SIGTERM")]);
await server.close();
process.exit();
