import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { databaseUrl, openScratchServer } from "@beatmarket/postgres/testing/scratch-server.ts";
import { sql } from "kysely";
import { connect, migrateSchema } from "../src/database/connect.ts";
import { describeSchema } from "./schema.ts";

// Rewrites database/schema.sql and server/src/database/tables.ts from the result of the migrations on an empty
// database.
const server = await openScratchServer();
const name = `schema_${randomBytes(4).toString("hex")}`;
const owner = connect({ url: server.url }, { max: 1 });
try {
  await sql`create database ${sql.id(name)}`.execute(owner.query);
  const database = connect({ url: databaseUrl(server.url, name) }, { max: 1 });
  await migrateSchema(database);
  const schema = await describeSchema(database.query);
  await database.close();
  await writeFile(new URL("../../database/schema.sql", import.meta.url), schema.sql);
  await writeFile(new URL("../src/database/tables.ts", import.meta.url), schema.types);
} finally {
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(owner.query);
  await owner.close();
  await server.close();
}
