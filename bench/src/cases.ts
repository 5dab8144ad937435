import type { Bench } from "./bench.ts";
import { clientLibraries } from "./cases/clients.ts";
import { crawl } from "./cases/crawl.ts";
import { importBeside, importSpeed } from "./cases/import.ts";
import { jump } from "./cases/jump.ts";
import { memory } from "./cases/memory.ts";
import { beatsById, pagesOnce } from "./cases/once.ts";
import { longOrderList, orderSpeed } from "./cases/orders.ts";
import { comparePeers } from "./cases/peers.ts";
import { search } from "./cases/search.ts";
import { similar } from "./cases/similar.ts";
import { sizes } from "./cases/sizes.ts";
import { totals } from "./cases/totals.ts";
import { encodings, warm } from "./cases/warm.ts";
import { webhookBacklog, webhookLatency, webhookSpeed } from "./cases/webhooks.ts";

/** In the order in which they run: those that fill the database come last. */
export const cases: Record<string, (bench: Bench) => Promise<void>> = {
  warm,
  encodings,
  "by-id": beatsById,
  pages: pagesOnce,
  sizes,
  similar,
  search,
  totals,
  jump,
  peers: comparePeers,
  memory,
  crawl,
  clients: clientLibraries,
  import: importSpeed,
  "import-beside": importBeside,
  orders: orderSpeed,
  "order-list": longOrderList,
  "webhook-speed": webhookSpeed,
  "webhook-latency": webhookLatency,
  "webhook-backlog": webhookBacklog,
};
