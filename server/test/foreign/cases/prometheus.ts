import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { parse, stringify } from "yaml";
import type { Report } from "../../harness/programmes/report.ts";
import type { Case } from "../case.ts";
import type { Market } from "../market.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const folder = join(import.meta.dirname, "../../../../deploy/observability");
/**
 * A rate needs two scrapes, a second apart, with calls between them. Values measured once a minute need two
 * measurements.
 */
const longestMs = 90_000;
const callsBetween = 5;
/** The embedded database has no replica. */
const withoutValue = "min(beatmarket_replica_used)";

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

interface Answer {
  status: string;
  error?: string;
  data?: { result: { value: [number, string] }[] };
}

const rulesCase: Case = {
  name: "promtool",
  about: "the alert rules, their tests, and the scrape settings of the sample collector",
  run: async (bench, report) => {
    const promtool = join(await bench.install(tools.prometheus), "usr/bin/promtool");
    const cwd = await bench.folder();
    for (const file of ["alerts.yml", "alerts.test.yml"]) await copyFile(join(folder, file), join(cwd, file));
    const checked = await run(promtool, ["check", "rules", "alerts.yml"], { cwd });
    report.check("promtool accepts the rules", checked.status === 0, checked.output);
    const tested = await run(promtool, ["test", "rules", "alerts.test.yml"], { cwd });
    report.check("the tests of the rules pass", tested.status === 0, tested.output);
    const collector = parse(await readFile(join(folder, "collector.yaml"), "utf8"));
    const check = async (config: object) => {
      await writeFile(join(cwd, "scraped.yml"), stringify(config));
      // The files that the configuration names exist only on the production machine.
      return run(promtool, ["check", "config", "--syntax-only", "scraped.yml"], { cwd });
    };
    const scraped = await check(collector.receivers.prometheus.config);
    report.check("promtool accepts the scrape settings of the collector", scraped.status === 0, scraped.output);
    const misspelt = await check({ scrape_configs: [{ job_name: "one", scrape_intervals: "30s" }] });
    report.check("promtool refuses an unknown setting", misspelt.status !== 0, misspelt.output);
  },
};

const dashboardCase: Case = {
  name: "prometheus",
  about: "every panel of the dashboard has a finite value from a Prometheus that scrapes the server",
  run: async (bench, report) => {
    const program = join(await bench.install(tools.prometheus), "usr/bin/prometheus");
    const port = await freePort();
    const cwd = await bench.folder();
    // Backups and shared limits have panels. Redis need not run: the panel shows that it is unreachable.
    const market = await bench.marketWith({ BACKUP_VAULT: join(cwd, "vault"), REDIS_URL: "redis://127.0.0.1:9" });
    await writeConfiguration(market, join(cwd, "prometheus.yml"));
    const args = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", `--web.listen-address=127.0.0.1:${port}`];
    const child = spawn(program, args, { cwd, stdio: "ignore" });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    try {
      await askAll(market, report, `http://127.0.0.1:${port}`);
    } finally {
      const ended = once(child, "exit");
      kill();
      await ended;
      process.off("exit", kill);
    }
  },
};

export const prometheusCases: readonly Case[] = [rulesCase, dashboardCase];

async function writeConfiguration({ origin, caFile }: Market, file: string): Promise<void> {
  const job = {
    job_name: "beatmarket",
    scheme: "https",
    tls_config: { ca_file: caFile },
    static_configs: [{ targets: [new URL(origin).host] }],
  };
  await writeFile(file, JSON.stringify({ global: { scrape_interval: "1s" }, scrape_configs: [job] }));
}

/** Calls the server, and repeats the queries of all panels until each has finite values. */
async function askAll(market: Market, report: Report, prometheus: string): Promise<void> {
  const { panels } = JSON.parse(await readFile(join(folder, "dashboard.json"), "utf8")) as Dashboard;
  const key = await market.key("dashboard@example.com");
  const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
  const waiting = new Set(queries.filter(({ expr }) => expr !== withoutValue));
  const total = waiting.size;
  let last = "";
  for (const deadlineMs = performance.now() + longestMs; waiting.size > 0 && performance.now() < deadlineMs; ) {
    for (let n = 0; n < callsBetween; n++) await market.call(key, "/beats?limit=1");
    for (const panel of waiting) {
      const problem = await ask(prometheus, panel.expr);
      if (problem === null) waiting.delete(panel);
      else last = problem;
    }
    await sleep(1_000);
  }
  const missing = [...waiting].map(({ title }) => title).join(", ");
  report.check(
    "every panel's queries have finite values",
    waiting.size === 0,
    missing === "" ? total : `${missing}: ${last}`,
  );
}

/** Runs a query. Returns null if there are values and all are finite, otherwise Prometheus's response. */
async function ask(prometheus: string, query: string): Promise<string | null> {
  try {
    const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`);
    const { error, data } = (await response.json()) as Answer;
    if (data === undefined || data.result.length === 0) return error ?? "no values";
    return data.result.every(({ value: [, value] }) => Number.isFinite(Number(value)))
      ? null
      : JSON.stringify(data.result);
  } catch (error) {
    return String(error);
  }
}
