import type { Bench, ReportingBench } from "./bench.ts";
import { analysis } from "./cases/audio/analysis.ts";
import { clientLibraries } from "./cases/comparisons/clients.ts";
import { comparePeers } from "./cases/comparisons/peers.ts";
import { memory } from "./cases/process/memory.ts";
import { restoreTime } from "./cases/process/restore.ts";
import { threads } from "./cases/process/threads.ts";
import { tracing } from "./cases/process/tracing.ts";
import { upgradeTime } from "./cases/process/upgrade.ts";
import { askLicense } from "./cases/reads/ask-license.ts";
import { changesBulk, changesLatency, changesRead } from "./cases/reads/changes.ts";
import { crawl } from "./cases/reads/crawl.ts";
import { beatsById, pagesOnce } from "./cases/reads/different.ts";
import { exportSpeed } from "./cases/reads/export.ts";
import { jump } from "./cases/reads/jump.ts";
import { sitemap } from "./cases/reads/sitemap.ts";
import { sizes } from "./cases/reads/sizes.ts";
import { totals } from "./cases/reads/totals.ts";
import { encodings, warm } from "./cases/reads/warm.ts";
import { engine } from "./cases/search/engine.ts";
import { filters } from "./cases/search/filters.ts";
import { openSearch } from "./cases/search/opensearch.ts";
import { search, searchRate } from "./cases/search/search.ts";
import { similar } from "./cases/search/similar.ts";
import { tantivy } from "./cases/search/tantivy.ts";
import { checkouts } from "./cases/writes/checkouts.ts";
import { importBeside, importSpeed } from "./cases/writes/import.ts";
import { licenseLog } from "./cases/writes/license-log.ts";
import { licenseLogDelay } from "./cases/writes/license-log-delay.ts";
import { longOrderList, orderSpeed } from "./cases/writes/orders.ts";
import { payouts } from "./cases/writes/payouts.ts";
import { requestLog } from "./cases/writes/request-log.ts";
import { webhookBacklog, webhookLatency, webhookSpeed } from "./cases/writes/webhooks.ts";

/** The cases that need no server. They run first. */
export const casesWithoutServer: Record<string, (reporting: ReportingBench) => Promise<void>> = {
  analysis,
  restore: restoreTime,
  upgrade: upgradeTime,
  payouts,
  engine,
  "peers-opensearch": openSearch,
  "peers-tantivy": tantivy,
  "request-log": requestLog,
};

/** The cases in the order in which they run. Those that fill the database come last. */
export const cases: Record<string, (bench: Bench) => Promise<void>> = {
  warm,
  encodings,
  "by-id": beatsById,
  pages: pagesOnce,
  sizes,
  similar,
  search,
  "search-rate": searchRate,
  filters,
  totals,
  export: exportSpeed,
  sitemap,
  jump,
  peers: comparePeers,
  memory,
  tracing,
  threads,
  crawl,
  "changes-latency": changesLatency,
  "changes-read": async (bench) => void (await changesRead(bench)),
  "changes-bulk": changesBulk,
  clients: clientLibraries,
  import: importSpeed,
  "import-beside": importBeside,
  orders: orderSpeed,
  checkouts,
  may: askLicense,
  "license-log": licenseLog,
  "license-log-delay": licenseLogDelay,
  "order-list": longOrderList,
  "webhook-speed": webhookSpeed,
  "webhook-latency": webhookLatency,
  "webhook-backlog": webhookBacklog,
};
