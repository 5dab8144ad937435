import { type OpenSearchNode, startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { catalogueCommand } from "./catalogue.ts";

const url = await testDatabaseUrl();
await insertBeats(openTestDatabase(url), [{ title: "Midnight" }, { title: "Dawn" }]);

let node: OpenSearchNode;

beforeAll(async () => {
  node = await startOpenSearch();
});

afterAll(() => node.close());

const run = (parameters: string[], env: Record<string, string> = {}) =>
  runHere(catalogueCommand, ["catalogue", ...parameters], { DATABASE_URL: url, ...env });

test("without OpenSearch they say that each server builds its own index", async () => {
  const { status, errors } = await run(["status"]);
  expect(errors).toMatch(/^error: CATALOGUE_ENGINE is not set, so each server has the catalogue in its memory/);
  expect(status).toBe(1);
});

test("status shows that there is no build; reindex makes one without a server; status shows it", async () => {
  const env = { CATALOGUE_ENGINE: `opensearch://${node.host}/command` };
  const before = await run(["status", "--json"], env);
  expect(JSON.parse(before.out)).toMatchObject({ nodes: 1, health: "green", build: null });
  expect(before.status).toBe(1);
  const made = await run(["reindex"], env);
  expect(made.out).toMatch(/^The catalogue is in new indices\.\n\n/);
  expect(made.status).toBe(0);
  const { status, out } = await run(["status", "--json"], env);
  const { build, newest_position } = JSON.parse(out);
  expect(build).toMatchObject({ beats: 2, position: newest_position });
  expect(status).toBe(0);
});

test("a cluster that is away is named", async () => {
  const { status, errors } = await run(["status"], { CATALOGUE_ENGINE: "opensearch://127.0.0.1:9" });
  expect(errors).toBe("error: OpenSearch, which finds beats, does not respond. Try again in 5 seconds.\n");
  expect(status).toBe(1);
});
