import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { connect } from "../src/database/connection/connect.ts";
import { migrate } from "../src/database/migrate.ts";
import { describeSchema } from "./schema.ts";
import { databaseUrl, openScratchServer } from "./scratch-server.ts";

// Rewrites database/schema.sql and server/src/database/tables.ts from what the migrations make of an empty database.
const server = await openScratchServer();
const name = `schema_${randomBytes(4).toString("hex")}`;
const owner = connect({ url: server.url }, { max: 1 });
try {
  await owner.driver`create database ${owner.driver(name)}`;
  const database = connect({ url: databaseUrl(server.url, name) }, { max: 1 });
  await migrate(database);
  const { sql, types } = await describeSchema(database.driver);
  await database.close();
  await writeFile(new URL("../../database/schema.sql", import.meta.url), sql);
  await writeFile(new URL("../src/database/tables.ts", import.meta.url), types);
} finally {
  await owner.driver`drop database if exists ${owner.driver(name)} with (force)`;
  await owner.close();
  await server.close();
}
