import type { Clock } from "@beatmarket/foundation/clock.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { sql } from "kysely";
import type { Queryable } from "../database/connect.ts";

/** The parts of the service that the status page shows, in the order of the page. */
export const components = [
  { id: "api", name: "API and portal" },
  { id: "catalogue", name: "Catalogue and search" },
  { id: "payments", name: "Checkout and payments" },
  { id: "files", name: "Previews and downloads" },
  { id: "uploads", name: "Uploads and publishing" },
  { id: "webhooks", name: "Webhook deliveries" },
] as const;

export type ComponentId = (typeof components)[number]["id"];
type Level = "degraded_performance" | "major_outage";

/** A fault of the service, as users notice it. */
interface Fault {
  id: string;
  name: string;
  level: Level;
  components: readonly ComponentId[];
}

/** A fault and the time for which it lasted. */
export interface Incident extends Fault {
  /** Unique: the id of the fault and the time of its start. */
  key: string;
  startedMs: number;
  /** Null while the fault lasts. */
  resolvedMs: number | null;
}

export interface StatusParts {
  db: Queryable;
  clock: Clock;
  isIndexReady(): boolean;
  storagePresence: { readonly isAvailable: boolean; check(): Promise<void> };
  /** Whether a disk for uploads is full. */
  isDiskFull(): Promise<boolean>;
  /** Null with the payment sandbox, which is a part of the service. */
  paymentProvider: { isFailing(): Promise<boolean> } | null;
  sharedLimits: { readonly problem: string | null } | null;
  deliveryQueue: { readonly state: { lateSeconds: number } };
  mediaQueue: { readonly state: { oldestSeconds: number } };
}

const allComponents: readonly ComponentId[] = components.map(({ id }) => id);
const queryTimeoutMs = 2_000;
const diskTimeoutMs = 2_000;
const freshMs = 2_000;
const lateDeliverySeconds = 60;
const lateMediaSeconds = 600;
const maxIncidents = 100;

/** Records the present faults, and those since the start of the process, in memory: the database may be unreachable. */
export class StatusWatch {
  readonly #parts: StatusParts;
  /** Newest first. */
  #incidents: Incident[] = [];
  #checking: Promise<void> | null = null;
  #freshUntilMs = Number.NEGATIVE_INFINITY;
  /** The time of the last check, in Unix milliseconds. */
  checkedMs = 0;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  get incidents(): readonly Incident[] {
    return this.#incidents;
  }

  /** Checks for faults, at most every two seconds, whatever the number of callers. Never rejects. */
  check(): Promise<void> {
    const { clock } = this.#parts;
    if (this.#checking !== null) return this.#checking;
    if (clock.monotonicMs() < this.#freshUntilMs) return Promise.resolve();
    this.#checking = this.#findFaults().then((faults) => {
      this.#note(faults);
      this.#freshUntilMs = clock.monotonicMs() + freshMs;
      this.#checking = null;
    });
    return this.#checking;
  }

  async #findFaults(): Promise<Fault[]> {
    const { isIndexReady, storagePresence, paymentProvider, sharedLimits, deliveryQueue, mediaQueue } = this.#parts;
    if (!(await this.#isDatabaseThere()))
      return [
        { id: "database", name: "The database is out of reach", level: "major_outage", components: allComponents },
      ];
    const [isProviderFailing] = await Promise.all([paymentProvider?.isFailing(), storagePresence.check()]);
    const isThere = storagePresence.isAvailable;
    const faults: (Fault & { isPresent: boolean })[] = [
      {
        id: "storage",
        name: "The storage of files is out of reach",
        level: "major_outage",
        // Includes payments, because no license is sold while its files cannot be delivered.
        components: ["payments", "files", "uploads"],
        isPresent: !isThere,
      },
      {
        id: "disk",
        name: "A disk is full, so uploads are refused",
        level: "major_outage",
        components: ["uploads"],
        // Not checked while the storage is unreachable, because a disk that does not respond blocks a thread of the
        // process.
        isPresent: isThere && (await this.#isDiskFull()),
      },
      {
        id: "index",
        name: "The catalogue index is unavailable",
        level: "major_outage",
        components: ["catalogue"],
        isPresent: !isIndexReady(),
      },
      {
        id: "payments",
        name: "The payment provider does not respond",
        level: "major_outage",
        components: ["payments"],
        isPresent: isProviderFailing === true,
      },
      {
        id: "limits",
        name: "Limits are counted by each instance alone",
        level: "degraded_performance",
        components: ["api"],
        isPresent: typeof sharedLimits?.problem === "string",
      },
      {
        id: "deliveries",
        name: "Webhook deliveries are late",
        level: "degraded_performance",
        components: ["webhooks"],
        isPresent: deliveryQueue.state.lateSeconds > lateDeliverySeconds,
      },
      {
        id: "media",
        name: "Uploads wait to be analysed",
        level: "degraded_performance",
        components: ["uploads"],
        isPresent: mediaQueue.state.oldestSeconds > lateMediaSeconds,
      },
    ];
    return faults.filter(({ isPresent }) => isPresent).map(({ isPresent: _, ...fault }) => fault);
  }

  async #isDatabaseThere(): Promise<boolean> {
    try {
      const queried = sql`select 1`.execute(this.#parts.db);
      await withTimeout(queried, queryTimeoutMs, () => new Error("The database does not respond."));
      return true;
    } catch {
      return false;
    }
  }

  async #isDiskFull(): Promise<boolean> {
    const full = this.#parts.isDiskFull();
    return withTimeout(full, diskTimeoutMs, () => new Error("The disk does not respond.")).catch(() => false);
  }

  /** Begins an incident for each new fault, and ends the incidents of past faults. */
  #note(faults: readonly Fault[]): void {
    const nowMs = this.#parts.clock.nowMs();
    this.checkedMs = nowMs;
    const open = this.#incidents.filter(({ resolvedMs }) => resolvedMs === null);
    for (const incident of open) if (!faults.some(({ id }) => id === incident.id)) incident.resolvedMs = nowMs;
    const newIncidents = faults
      .filter(({ id }) => !open.some((incident) => incident.id === id))
      .map((fault) => ({ ...fault, key: `${fault.id}-${nowMs}`, startedMs: nowMs, resolvedMs: null }));
    this.#incidents = [...newIncidents, ...this.#incidents].slice(0, maxIncidents);
  }
}
