import { once } from "node:events";
import { ownerRole, serviceRole } from "@beatmarket/postgres/embedded/roles.ts";
import { urlOf } from "@beatmarket/postgres/testing/database-url.ts";
import { readConfig } from "../../src/config.ts";
import { connect, migrateSchema } from "../../src/database/connect.ts";
import { grantService } from "../../src/database/open.ts";
import { makeOldCluster, withOldCluster } from "../old-cluster.ts";

// Creates the database of a DATA_DIR in the previous major version of PostgreSQL, and runs it like
// hold-database.main.ts.
process.on("SIGINT", () => {});
const parentLeft = once(process.stdin.resume(), "close");
const { dataDir } = readConfig(process.env);
await makeOldCluster(dataDir);
await withOldCluster(dataDir, async ({ addressFor }) => {
  const owner = connect(addressFor(ownerRole), { max: 2 });
  await migrateSchema(owner);
  await grantService(owner.query, serviceRole);
  await owner.close();
  console.log(urlOf(addressFor(serviceRole)));
  await Promise.race([parentLeft, once(process, "SIGTERM")]);
});
process.exit();
