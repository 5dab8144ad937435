import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrl, openScratchServer } from "@beatmarket/postgres/testing/scratch-server.ts";
import { sql } from "kysely";
import { versions } from "../src/access/versions.ts";
import { connect, migrateSchema } from "../src/database/connect.ts";
import type { RecordedExamples } from "../src/openapi/document.ts";
import {
  changedExamples,
  documentText,
  eventTypesText,
  portalDocumentText,
  recordExamples,
  versionsText,
} from "./contract.ts";
import { demoApi } from "./demo-api.ts";
import { withPermissionTable } from "./permission-table.ts";

// Rewrites the files of contract/ and the table of permissions in docs/api/authentication.md.
// - portal-openapi.json: from the routes of the portal.
// - examples.json: from the responses of the demo catalogue.
// - openapi.json: from the operation table and the examples. event-types.json repeats its event types.
// - versions/: for each later version, the examples that differ from those of the version before.
// - api-versions.json: the list of versions.
const portal = portalDocumentText();
await writeFile(new URL("../../contract/portal-openapi.json", import.meta.url), portal);
await writeFile(new URL("../../contract/api-versions.json", import.meta.url), versionsText());
const server = await openScratchServer();
const owner = connect({ url: server.url }, { max: 1 });
const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-contract-"));
/** The responses of a new service to all examples. */
async function record(version?: string): Promise<RecordedExamples> {
  const name = `contract_${randomBytes(4).toString("hex")}`;
  await sql`create database ${sql.id(name)}`.execute(owner.query);
  const database = connect({ url: databaseUrl(server.url, name) });
  const sandboxServer = {
    admin: { url: server.url },
    owner: null,
    prefix: `${name}_`,
    addressOf: (database: string) => ({ url: databaseUrl(server.url, database) }),
  };
  try {
    await migrateSchema(database);
    const demo = await demoApi(database, dataDir, sandboxServer);
    const examples = await recordExamples(demo, database.query, version);
    await demo.testMode.close();
    await demo.app.close();
    return examples;
  } finally {
    await database.close();
    const { rows } = await sql<{ datname: string }>`
      select datname from pg_database where starts_with(datname, ${name})`.execute(owner.query);
    for (const { datname } of rows)
      await sql`drop database if exists ${sql.id(datname)} with (force)`.execute(owner.query);
  }
}

try {
  const examples = await record();
  await writeFile(new URL("../../contract/examples.json", import.meta.url), `${JSON.stringify(examples, null, 2)}\n`);
  const document = documentText(examples);
  await writeFile(new URL("../../contract/openapi.json", import.meta.url), document);
  await writeFile(new URL("../../contract/event-types.json", import.meta.url), eventTypesText(document));
  const page = new URL("../../docs/api/authentication.md", import.meta.url);
  await writeFile(page, withPermissionTable(await readFile(page, "utf8"), JSON.parse(document)));
  let before = examples;
  for (const { date } of versions.slice(1)) {
    const after = await record(date);
    const file = new URL(`../../contract/versions/${date}.json`, import.meta.url);
    await writeFile(file, `${JSON.stringify(changedExamples(before, after), null, 2)}\n`);
    before = after;
  }
} finally {
  await owner.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}
