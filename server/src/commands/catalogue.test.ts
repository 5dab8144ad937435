import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type OpenSearchNode, startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../../test/harness/command.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { catalogueCommand } from "./catalogue.ts";
import type { Finding } from "./doctor/check.ts";
import { clusterVerdict } from "./doctor/database-checks.ts";
import { doctorCommand } from "./doctor/doctor.ts";

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
await insertBeats(database, [{ title: "Midnight" }, { title: "Dawn" }]);
const folder = await mkdtemp(join(tmpdir(), "beatmarket-catalogue-"));
afterAll(() => rm(folder, { recursive: true }));

let node: OpenSearchNode;

beforeAll(async () => {
  node = await startOpenSearch();
});

afterAll(() => node.close());

const run = (parameters: string[], env: Record<string, string> = {}) =>
  runHere(catalogueCommand, ["catalogue", ...parameters], { DATABASE_URL: url, ...env });

test("without OpenSearch, the commands say that each server builds its own index", async () => {
  const { status, errors } = await run(["status"]);
  expect(errors).toMatch(/^error: CATALOGUE_ENGINE is not set, so each server has the catalogue in its memory/);
  expect(status).toBe(1);
});

test("status shows that there is no build; reindex creates a build without a server; status shows the build", async () => {
  const env = { CATALOGUE_ENGINE: `opensearch://${node.host}/command` };
  const before = await run(["status", "--json"], env);
  expect(JSON.parse(before.out)).toMatchObject({ nodes: 1, health: "green", build: null });
  expect(before.status).toBe(1);
  const result = await run(["reindex"], env);
  expect(result.out).toMatch(/^The catalogue is in new indices\.\n\n/);
  expect(result.status).toBe(0);
  const { status, out } = await run(["status", "--json"], env);
  const { build, newest_position } = JSON.parse(out);
  expect(build).toMatchObject({ beats: 2, position: newest_position });
  expect(status).toBe(0);
});

/** The result of the doctor's check of the cluster. */
async function examineCatalogue(engine: string): Promise<Finding | undefined> {
  const { out } = await runHere(doctorCommand, ["doctor", "--json"], {
    DATABASE_URL: url,
    DATA_DIR: folder,
    STORAGE_URL: pathToFileURL(join(folder, "objects")).href,
    ...(engine !== "" && { CATALOGUE_ENGINE: engine }),
  });
  return (JSON.parse(out).checks as Finding[]).find(({ check }) => check === "OpenSearch");
}

test("the doctor checks that the cluster responds, has a build, accepts writes and has every change", async () => {
  const engine = `opensearch://${node.host}/doctor`;
  expect((await examineCatalogue(""))?.state).toBe("unused");
  expect(await examineCatalogue("opensearch://127.0.0.1:9")).toMatchObject({
    state: "wrong",
    detail: expect.stringContaining("OpenSearch, which finds beats, does not respond."),
  });
  expect(await examineCatalogue(engine)).toMatchObject({
    state: "wrong",
    detail: expect.stringContaining("There is no build of the catalogue"),
  });
  await run(["reindex"], { CATALOGUE_ENGINE: engine });
  expect(await examineCatalogue(engine)).toMatchObject({
    detail: expect.stringContaining("The cluster has every change of the catalogue"),
  });
  await database.driver`update beats set price_cents = price_cents + 1 where title = 'Dawn'`;
  expect(await examineCatalogue(engine)).toMatchObject({
    state: "wrong",
    detail: expect.stringContaining("The cluster does not get the newest changes of the catalogue"),
  });
  await fetch(`http://${node.host}/doctor-*/_settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ "index.blocks.read_only_allow_delete": true }),
  });
  expect(await examineCatalogue(engine)).toMatchObject({
    state: "wrong",
    detail: expect.stringMatching(/^The disk of alone is \d+ % full, and OpenSearch refuses writes\.$/),
  });
});

test("the doctor warns of a full disk and of a missing copy, and a missing shard is wrong", () => {
  const build = { name: "b", built_at: "", position: 5, beats: 2, bytes: 9 };
  const fine = { nodes: 3, health: "green", newest_position: 5, is_full: false, build };
  const disk = (used_percent: number) => ({ fullest_disk: { node: "two", used_percent } });
  expect(clusterVerdict({ ...fine, ...disk(84) }, false).state).toBe("ok");
  expect(clusterVerdict({ ...fine, ...disk(85) }, false)).toMatchObject({
    state: "warning",
    detail: "The disk of two is 85 % full; at 95 % OpenSearch refuses writes.",
  });
  expect(clusterVerdict({ ...fine, ...disk(9), nodes: 2, health: "yellow" }, false).state).toBe("warning");
  expect(clusterVerdict({ ...fine, ...disk(9), health: "red" }, false).state).toBe("wrong");
});

test("status says that an unreachable cluster does not respond", async () => {
  const { status, errors } = await run(["status"], { CATALOGUE_ENGINE: "opensearch://127.0.0.1:9" });
  expect(errors).toBe("error: OpenSearch, which finds beats, does not respond. Try again in 5 seconds.\n");
  expect(status).toBe(1);
});
