import { X509Certificate } from "node:crypto";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import { maxConnections, maxConnectionsOfNetwork } from "@beatmarket/http/transport/connection-limits.ts";
import { unreadBudgetBytes } from "@beatmarket/http/transport/send-queues.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import { scrapedGauges, scrapedGaugesBy } from "./serving-metrics.ts";

/** The parts of the process with a limit. */
export interface CapacityParts {
  /** Null if Redis counts the calls of keys. */
  rateLimits: { readonly size: number } | null;
  publicPages: { readonly cached: { readonly entries: number; readonly bytes: number } };
  badKeys: { readonly size: number };
  attempts: { readonly refused: number };
  exports: { readonly running: number };
}

export function registerCapacity(
  { rateLimits, publicPages, badKeys, attempts, exports }: CapacityParts,
  registry: Registry,
): void {
  const gauge = scrapedGauges(registry);
  if (rateLimits !== null)
    gauge("rate_limits_tracked", "Keys whose recent calls are counted in this process.", () => rateLimits.size);
  gauge("public_page_cache_entries", "Public pages in the cache.", () => publicPages.cached.entries);
  gauge(
    "public_page_cache_bytes",
    "Size of the public pages in the cache; at most 4 MiB.",
    () => publicPages.cached.bytes,
  );
  gauge(
    "bad_key_networks",
    "Client networks that sent a bad key in the last minute; at most 10000 are counted one by one.",
    () => badKeys.size,
  );
  gauge(
    "attempts_refused",
    "Subjects of the portal, such as an address that signs in, whose attempts are refused at the moment; at most 10000 are remembered.",
    () => attempts.refused,
  );
  gauge("exports_running", "Exports of the catalogue that are being made: one at most.", () => exports.running);
}

/** The connections of clients, which `ConnectionLimits` bounds. */
export interface ClientConnections {
  readonly open: { all: number; ofOneNetwork: number };
  readonly refused: number;
  readonly displaced: number;
}

export function registerConnections(connections: ClientConnections, registry: Registry): void {
  const registers = [registry];
  const bounded = {
    all: { max: maxConnections, of: () => connections.open.all },
    network: { max: maxConnectionsOfNetwork, of: () => connections.open.ofOneNetwork },
  };
  new Gauge({
    name: "beatmarket_connections",
    aggregator: "first",
    help: "Connections of clients and their running HTTP/2 requests: of all client networks, and of the network that has the most. Connections of proxies do not count.",
    labelNames: ["of"],
    registers,
    collect() {
      for (const [resource, each] of Object.entries(bounded)) this.set({ of: resource }, each.of());
    },
  });
  new Gauge({
    name: "beatmarket_connections_max",
    aggregator: "first",
    help: "The limits of beatmarket_connections.",
    labelNames: ["of"],
    registers,
    collect() {
      for (const [resource, { max }] of Object.entries(bounded)) this.set({ of: resource }, max);
    },
  });
  new Counter({
    name: "beatmarket_connections_refused_total",
    help: "Connections that were closed at once, because their network had too many, or opened too many without a valid key.",
    registers,
    collect() {
      this.reset();
      this.inc(connections.refused);
    },
  });
  new Counter({
    name: "beatmarket_connections_displaced_total",
    help: "Connections without a valid key or session that were closed to make room for new connections at the limit.",
    registers,
    collect() {
      this.reset();
      this.inc(connections.displaced);
    },
  });
}

/** The responses in the kernel's send queues, which `SendQueues` bounds. */
export interface UnreadResponses {
  readonly resets: number;
  unacknowledgedOf(port: number): Promise<number>;
}

export function registerSendQueues(queues: UnreadResponses, port: () => number, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "beatmarket_unacknowledged_bytes",
    aggregator: "first",
    help: "Bytes of responses in the kernel's send queues, which clients have not acknowledged. Linux only.",
    registers,
    async collect() {
      this.set(await queues.unacknowledgedOf(port()));
    },
  });
  new Gauge({
    name: "beatmarket_unacknowledged_bytes_max",
    aggregator: "first",
    help: "The limit of beatmarket_unacknowledged_bytes for large responses. With more than 512 large responses, each may have 64 kB instead.",
    registers,
    collect() {
      this.set(unreadBudgetBytes);
    },
  });
  new Counter({
    name: "beatmarket_connections_reset_total",
    help: "Connections that were reset because their clients left responses unread.",
    registers,
    collect() {
      this.reset();
      this.inc(queues.resets);
    },
  });
}

/** A queue of mails. */
export interface MailState {
  waiting: number;
  oldestSeconds: number;
}

/** Shows the queues of mails by name. */
export function registerMails(queues: Readonly<Record<string, () => MailState>>, registry: Registry): void {
  const states = () => Object.entries(queues).map(([queue, state]): [string, MailState] => [queue, state()]);
  const gauge = scrapedGaugesBy("queue", states, registry);
  gauge(
    "mails_waiting",
    "Mails that no mail server has accepted yet. Queue `portal`: those of this process, at most 100. Queues `webhooks` and `money`: those of all processes, measured every 15 seconds.",
    ({ waiting }) => waiting,
  );
  gauge(
    "mails_oldest_seconds",
    "Waiting time of the oldest waiting mail; 0 without any.",
    ({ oldestSeconds }) => oldestSeconds,
  );
}

/** The last measured state of the queue of webhook deliveries. */
export interface DeliveryQueue {
  readonly state: { oldestDueSeconds: number; pending: number; sending: number };
  readonly mails: MailState;
}

export function registerDeliveries(queue: DeliveryQueue, registry: Registry): void {
  const scraped = scrapedGauges(registry);
  const gauge = (name: string, help: string, value: () => number) =>
    scraped(`webhook_${name}`, `${help} Measured at least every 15 seconds.`, value);
  gauge(
    "oldest_due_seconds",
    "Waiting time of the webhook delivery that has been due the longest, over all processes; 0 without any.",
    () => queue.state.oldestDueSeconds,
  );
  gauge(
    "deliveries_pending",
    "Webhook deliveries that wait for an attempt, over all processes, without those of disabled endpoints; 100000 means that many or more.",
    () => queue.state.pending,
  );
  gauge(
    "deliveries_sending",
    "Webhook deliveries that a worker has claimed, over all processes.",
    () => queue.state.sending,
  );
}

/** Shows when the certificate in use expires. Returns a function that sets another certificate. */
export function registerCertificate(
  certificate: Certificate | null,
  registry: Registry,
): (certificate: Certificate) => void {
  if (certificate === null) return () => {};
  let expiresSeconds = endOf(certificate);
  new Gauge({
    name: "beatmarket_certificate_expires_seconds",
    help: "When the TLS certificate in use expires, Unix time. Absent with TLS=off.",
    registers: [registry],
    collect() {
      this.set(expiresSeconds);
    },
  });
  return (next) => {
    expiresSeconds = endOf(next);
  };
}

const endOf = ({ cert }: Certificate): number => new X509Certificate(cert).validToDate.getTime() / 1_000;
