import type { Logger } from "pino";
import type { Database } from "../../../database/connection/connect.ts";
import { repeat } from "../../../repeat.ts";

/** What the trigger on webhook_endpoints notifies (migration 0006). */
const channel = "webhook_endpoints";
const readEveryMs = 30_000;

/**
 * Knows, without asking the database, which accounts have an endpoint that fails or is disabled, so that every answer to
 * them can say so within a second of the change (DESIGN section 2, webhook notice).
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

  /** Follows the database until `stop`; the map is filled when this resolves. */
  async start(): Promise<void> {
    const refresh = () => void this.refresh().catch(this.#complain);
    const unfollow = await this.#database.listener.follow(channel, { onNotice: refresh, onListening: refresh });
    const stopReading = repeat(readEveryMs, () => this.refresh(), this.#complain);
    this.#stops = [async () => unfollow(), stopReading];
    await this.refresh().catch(this.#complain);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }

  /** The value of X-Webhook-Notice for an account, such as `failing; endpoint=12`; null when all is well. */
  noticeFor(userId: number): string | null {
    return this.#notices.get(userId) ?? null;
  }

  /** Reads what holds now. Whoever asks during a reading gets the one after it. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const rows = await this.#database.query
        .selectFrom("webhook_endpoints")
        .select(["id", "user_id", "state"])
        .where((row) => row.or([row("state", "=", "disabled"), row("failing_since", "is not", null)]))
        .where("kind", "<>", "listen")
        .orderBy("id")
        .execute();
      const byUser = Map.groupBy(rows, (row) => row.user_id);
      this.#notices = new Map(Array.from(byUser, ([userId, its]) => [userId, its.map(notice).join(", ")]));
    }
  }

  readonly #complain = (error: unknown): void =>
    this.#log.warn({ err: error }, "webhook notices not read; trying again");
}

const notice = ({ id, state }: { id: number; state: string }): string =>
  `${state === "disabled" ? "disabled" : "failing"}; endpoint=${id}`;
