import { writeFile } from "node:fs/promises";
import { connect } from "../src/database/connect.ts";
import { describeSchema } from "./schema.ts";

// Rewrites database/schema.sql and server/src/database/tables.ts from a migrated database given by URL.
const database = connect({ url: process.argv[2] ?? "" });
const description = await describeSchema(database.driver);
await writeFile(new URL("../../database/schema.sql", import.meta.url), description.sql);
await writeFile(new URL("../src/database/tables.ts", import.meta.url), description.types);
await database.close();
