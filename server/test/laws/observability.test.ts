import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testApi } from "../harness/api.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(root, path), "utf8");

interface Rules {
  groups: { rules: { alert?: string; record?: string; expr: string; annotations?: { runbook_url: string } }[] }[];
}

const rulesText = await read("deploy/observability/alerts.yml");
const rules = (parse(rulesText) as Rules).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

/** Shown by servers with a replica, a shared Redis, backups, a certificate of their own, or Stripe, which the test's lacks. */
const bySetting = [
  "beatmarket_backup_base_age_seconds",
  "beatmarket_backup_archived_age_seconds",
  "beatmarket_certificate_expires_seconds",
  "beatmarket_rate_limits_shared",
  "beatmarket_replica_used",
];

test("every alert has its section, which says what to look at and what to do, and its own tests", async () => {
  const page = await read("docs/alerts.md");
  const tests = await read("deploy/observability/alerts.test.yml");
  const sections = new Map(page.split(/^## /m).map((section) => [section.split("\n", 1)[0], section]));
  expect(alerts.length).toBeGreaterThan(10);
  for (const { alert = "", annotations } of alerts) {
    expect(annotations?.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    expect(sections.get(alert), alert).toMatch(/\*\*Look at\*\*: .*\n- \*\*Do\*\*: /);
    expect(tests).toContain(`name: ${alert} fires\n`);
    expect(tests).toContain(`name: ${alert} stays quiet\n`);
  }
  expect([...sections.keys()].slice(1).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test("every metric of the alerts and the dashboard is one that a server shows", async () => {
  const api = await testApi();
  await api.get("/v1/beats");
  const shown = (await api.request({ url: "/metrics" })).body;
  const known = new Set([...shown.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const dashboard = await read("deploy/observability/dashboard.json");
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
  const queries = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const names = new Set(queries.flatMap((query) => query.match(/\b(beatmarket|nodejs|process)_\w+\b(?!:)/g) ?? []));
  expect(names.size).toBeGreaterThan(20);
  const isShown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ""));
  expect([...names].filter((name) => !isShown(name) && !bySetting.includes(name))).toEqual([]);
});
