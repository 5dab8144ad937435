import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import { JobQueueWatch } from "@beatmarket/jobs/queue.ts";
import { DeliveryQueueWatch } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import pino from "pino";
import { collectDefaultMetrics, Registry } from "prom-client";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";
import { WorkerMetrics } from "../../src/metrics/metrics-server.ts";
import { StorageWatch } from "../../src/metrics/storage.ts";
import { testApi } from "../harness/api.ts";
import { testDatabase } from "../harness/database/database.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(root, path), "utf8");

interface Rules {
  groups: { rules: { alert?: string; record?: string; expr: string; annotations?: { runbook_url: string } }[] }[];
}

const rulesText = await read("deploy/observability/alerts.yml");
const rules = (parse(rulesText) as Rules).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

test("every alert has a section with checks and remedies, and tests", async () => {
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

test("docs/operating.md lists every alert with a link, and no other alert", async () => {
  const [, section = ""] = (await read("docs/operating.md")).split("\n## Alerts\n");
  const listedAlerts = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| \[(\w+)\]\((\S+)\) \| .+ \|$/gm)];
  expect(listedAlerts.map(([, name, link]) => `${name} docs/${link}`)).toEqual(
    alerts.map(({ alert, annotations }) => `${alert} ${annotations?.runbook_url}`),
  );
});

/** The names of the metrics in a scrape, except the process metrics. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (beatmarket_\w+)/gm)].map(([, name]) => name ?? "").toSorted();

/** The metrics of a server, with and without the settings that add metrics, and the metrics of a worker. */
async function shownMetrics(): Promise<{ server: string[]; worker: string[] }> {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-metrics-"));
  afterAll(() => rm(folder, { recursive: true }));
  const log = pino({ level: "silent" });
  const state = { backedUpAt: new Date(), archivedUntil: new Date(), spooledSegments: 0, failures: 0 };
  const apis = [
    await testApi({ database }),
    await testApi({
      database,
      // Neither service exists, so the metrics report both as unreachable.
      redisUrl: "redis://127.0.0.1:9",
      databaseReplicaUrl: "postgres://127.0.0.1:9/none",
      certificate: await ownCertificate(
        { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
        systemClock,
        log,
      ),
      backups: { state, copyObjects: async () => {} },
      // The account of the demo, for which the server renders loops.
      demoEmail: "demo@example.com",
    }),
  ];
  const server = new Set<string>();
  for (const api of apis) {
    await api.get("/v1/beats");
    for (const name of namesIn((await api.request({ url: "/metrics" })).body)) server.add(name);
  }
  const { registry } = new WorkerMetrics({
    pool: database.pool,
    deliveryQueue: new DeliveryQueueWatch(),
    mediaQueue: new JobQueueWatch(),
    storage: new StorageWatch({ db: database.query, folders: {}, log }),
  });
  return { server: [...server].toSorted(), worker: namesIn(await registry.metrics()) };
}
const metrics = await shownMetrics();

test("docs/observability.md names every metric of servers and, in italics, of workers, and no other metric", async () => {
  const page = await read("docs/observability.md");
  const table = page.slice(page.indexOf("\n| what | names |"), page.indexOf("## Alerts and dashboard"));
  const cells = table.split("\n").flatMap((row) => row.split("|")[2]?.split(", ") ?? []);
  const documentedMetrics = cells.flatMap((cell) => {
    const [, italic, name] = /(\*?)`(\w+)`/.exec(cell) ?? [];
    return name === undefined ? [] : [{ name: `beatmarket_${name}`, isWorkers: italic === "*" }];
  });
  const { server, worker } = metrics;
  expect(documentedMetrics.map(({ name }) => name).toSorted()).toEqual(server);
  expect(documentedMetrics.flatMap(({ name, isWorkers }) => (isWorkers ? name : [])).toSorted()).toEqual(worker);
});

test("the alerts and the dashboard use only metrics that a server shows", async () => {
  const dashboard = await read("deploy/observability/dashboard.json");
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
  const queries = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const names = new Set(queries.flatMap((query) => query.match(/\b(beatmarket|nodejs|process)_\w+\b(?!:)/g) ?? []));
  expect(names.size).toBeGreaterThan(20);
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  const knownMetrics = new Set([...metrics.server, ...processRegistry.getMetricsAsArray().map(({ name }) => name)]);
  const isShown = (name: string) =>
    knownMetrics.has(name) || knownMetrics.has(name.replace(/_(bucket|sum|count)$/, ""));
  expect([...names].filter((name) => !isShown(name))).toEqual([]);
});

test("every metric of an alert has a panel", async () => {
  const dashboard = await read("deploy/observability/dashboard.json");
  const names = new Set(alerts.flatMap(({ expr }) => expr.match(/\bbeatmarket_\w+/g) ?? []));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !dashboard.includes(name))).toEqual([]);
});

interface Collector {
  receivers: {
    otlp: { protocols: { http: { endpoint: string } } };
    prometheus: { config: { scrape_configs: { job_name: string; scheme?: string; static_configs: Targets[] }[] } };
  };
  processors: object;
  exporters: object;
  service: { pipelines: Record<string, Record<"receivers" | "processors" | "exporters", string[]>> };
}
interface Targets {
  targets: string[];
}

test("the collector's configuration uses all its definitions, and the addresses in the documents", async () => {
  const collector = parse(await read("deploy/observability/collector.yaml")) as Collector;
  const { pipelines } = collector.service;
  expect(Object.keys(pipelines)).toEqual(["traces", "metrics"]);
  for (const part of ["receivers", "processors", "exporters"] as const) {
    const used = new Set(Object.values(pipelines).flatMap((pipeline) => pipeline[part]));
    expect([...used].toSorted()).toEqual(Object.keys(collector[part]).toSorted());
  }
  const page = await read("docs/observability.md");
  const { endpoint } = collector.receivers.otlp.protocols.http;
  expect(page).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://${endpoint} npx beatmarket worker`);
  const config = (env: NodeJS.ProcessEnv) => readConfig(env);
  expect(config({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${endpoint}` }).tracing?.tracesUrl).toBe(
    `http://${endpoint}/v1/traces`,
  );
  const [server, worker] = collector.receivers.prometheus.config.scrape_configs;
  expect(server).toMatchObject({ scheme: "https", static_configs: [{ targets: [`localhost:${config({}).port}`] }] });
  const port = /WORKER_METRICS_PORT=(\d+) /.exec(page)?.[1];
  // Prometheus uses the scheme http and the path /metrics by default.
  expect(worker).toMatchObject({ static_configs: [{ targets: [`localhost:${port}`] }] });
  expect(worker).not.toHaveProperty("scheme");
});
