import { repeat } from "@beatmarket/foundation/repeat.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import type { Logger } from "pino";
import { tablesOf } from "../tables.ts";

/** Notified by a trigger on webhook_endpoints (testing/schema.sql). */
const channel = "webhook_endpoints";
const refreshIntervalMs = 30_000;

/**
 * Caches which owners have a failing or disabled endpoint, so that responses can have a notice without a query.
 */
export class WebhookNotices {
  readonly #database: Database;
  readonly #log: Pick<Logger, "warn">;
  #notices = new Map<number, string>();
  #reading: Promise<void> | null = null;
  #isStale = false;
  #stops: (() => Promise<unknown>)[] = [];

  constructor(database: Database, log: Pick<Logger, "warn">) {
    this.#database = database;
    this.#log = log;
  }

  /** Keeps the notices current until `stop`. Resolves after the first read. */
  async start(): Promise<void> {
    const refresh = () => void this.refresh().catch(this.#warn);
    const unfollow = await this.#database.listener.subscribe(channel, {
      onNotification: refresh,
      onListening: refresh,
    });
    const stopRefreshing = repeat(refreshIntervalMs, () => this.refresh(), this.#warn);
    this.#stops = [async () => unfollow(), stopRefreshing];
    await this.refresh().catch(this.#warn);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }

  /**
   * The value of X-Webhook-Notice for an owner, such as `failing; endpoint=12, disabled; endpoint=15`; null without a
   * notice.
   */
  noticeFor(userId: number): string | null {
    return this.#notices.get(userId) ?? null;
  }

  /**
   * Reads the notices. A call during a read causes another read and waits for it, because the first read may have
   * missed the caller's change.
   */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readEndpoints().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readEndpoints(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const rows = await tablesOf(this.#database.query)
        .selectFrom("webhook_endpoints")
        .select(["id", "user_id", "state"])
        .where((row) => row.or([row("state", "=", "disabled"), row("failing_since", "is not", null)]))
        .where("kind", "<>", "listen")
        .orderBy("id")
        .execute();
      const byUser = Map.groupBy(rows, (row) => row.user_id);
      this.#notices = new Map(Array.from(byUser, ([userId, endpoints]) => [userId, endpoints.map(notice).join(", ")]));
    }
  }

  readonly #warn = (error: unknown): void => this.#log.warn({ err: error }, "reading webhook notices failed; retrying");
}

const notice = ({ id, state }: { id: number; state: string }): string =>
  `${state === "disabled" ? "disabled" : "failing"}; endpoint=${id}`;
