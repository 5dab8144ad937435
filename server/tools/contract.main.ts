import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrl, openScratchServer } from "@beatmarket/postgres/testing/scratch-server.ts";
import { sql } from "kysely";
import { connect } from "../src/database/connect.ts";
import { migrateSchema } from "../src/database/migrations.ts";
import { documentText, eventTypesText, portalDocumentText, recordExamples } from "./contract.ts";
import { demoApi } from "./demo-api.ts";
import { withPermissionTable } from "./permission-table.ts";

// Rewrites contract/portal-openapi.json from the portal's routes, contract/examples.json from the responses of the demo
// catalogue, and contract/openapi.json from the operation table and the examples, with its event types once more in contract/event-types.json, and the
// table of permissions in docs/api/authentication.md.
const portal = portalDocumentText();
await writeFile(new URL("../../contract/portal-openapi.json", import.meta.url), portal);
const server = await openScratchServer();
const name = `contract_${randomBytes(4).toString("hex")}`;
const owner = connect({ url: server.url }, { max: 1 });
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-contract-"));
try {
  await sql`create database ${sql.id(name)}`.execute(owner.query);
  const database = connect({ url: databaseUrl(server.url, name) });
  await migrateSchema(database);
  const { app, makeKey } = await demoApi(database, dataDir);
  const examples = await recordExamples(app, makeKey, database.query);
  await app.close();
  await database.close();
  await writeFile(new URL("../../contract/examples.json", import.meta.url), `${JSON.stringify(examples, null, 2)}\n`);
  const document = documentText(examples);
  await writeFile(new URL("../../contract/openapi.json", import.meta.url), document);
  await writeFile(new URL("../../contract/event-types.json", import.meta.url), eventTypesText(document));
  const page = new URL("../../docs/api/authentication.md", import.meta.url);
  await writeFile(page, withPermissionTable(await readFile(page, "utf8"), JSON.parse(document)));
} finally {
  await sql`drop database if exists ${sql.id(name)} with (force)`.execute(owner.query);
  await owner.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}
