import { clientConfig } from "@beatmarket/postgres/connection/address.ts";
import { Connection } from "@beatmarket/postgres/connection/connection.ts";
import { databaseUrl } from "@beatmarket/postgres/testing/scratch-server.ts";
import { testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, onTestFinished, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";

interface Plan {
  "Node Type": string;
  Plans?: Plan[];
}

const database = await testDatabase();

test("after an update of one beat, the triggers of an update of all beats do not compare each beat with all", async () => {
  await insertBeats(
    database,
    Array.from({ length: 50 }, (_, place) => ({ producer: `Producer ${place % 5}` })),
  );
  const [{ name = "" } = {}] = await database.driver`select current_database() as name`;
  const superuser = new Connection(clientConfig({ url: databaseUrl(await testServerUrl(), name) }));
  await superuser.connect();
  onTestFinished(() => superuser.end());
  // PostgreSQL then sends the plans as notices, including the plans of statements in functions.
  await superuser.query(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_format = json;
    set auto_explain.log_level = notice`);
  // A function keeps the plan of its first call.
  await superuser.query("update beats set download_count = 1 where id = (select min(id) from beats)");
  const plans: Plan[] = [];
  superuser.on("notice", ({ message = "" }) => {
    plans.push(JSON.parse(message.slice(message.indexOf("{"))).Plan);
  });
  await superuser.query("update beats set download_count = 2");
  const types = plans.flatMap(nodesOf).map((node) => node["Node Type"]);
  expect(types.filter((type) => type === transitionTableScan).length).toBeGreaterThan(5);
  expect(plans.flatMap(nodesOf).filter(comparesAll)).toEqual([]);
});

/** A plan step that reads a transition table: the old or the new rows of the statement that fired the trigger. */
const transitionTableScan = "Named Tuplestore Scan";

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Whether a step compares each old row with each new row. */
const comparesAll = ({ "Node Type": type, Plans = [] }: Plan): boolean =>
  type === "Nested Loop" &&
  Plans.map((plan) => (plan["Node Type"] === "Materialize" ? plan.Plans?.[0] : plan)).every(
    (plan) => plan?.["Node Type"] === transitionTableScan,
  );
