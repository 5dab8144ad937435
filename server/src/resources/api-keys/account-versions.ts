import type { Clock } from "@beatmarket/foundation/clock.ts";
import { type VersionedCall, versionHeader, type WireVersions } from "@beatmarket/http/pipeline/wire-version.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { type ApiVersion, firstVersion, readVersion, versionOf } from "../../access/versions.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";

const maxRecentPins = 10_000;

/**
 * Chooses the version of the API for a call: the header's, else the key's, else the account's, else the first. An
 * account's first call pins the account to the chosen version, by one statement that the response does not wait for.
 */
export class AccountVersions implements WireVersions {
  readonly first = firstVersion;
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "warn">;
  /** The versions that this instance has pinned, by user id. A cached look-up of a key may be older than the pin. */
  readonly #recentPins = new LRUCache<number, ApiVersion>({ max: maxRecentPins });
  readonly #pinning = new Set<Promise<void>>();

  constructor(db: Queryable, clock: Clock, log: Pick<Logger, "warn">) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  choose({ requestHeaders, caller }: VersionedCall): ApiVersion {
    const header = requestHeaders[versionHeader];
    const requested =
      header === undefined ? null : readVersion(String(header), "The Beat-Version header", "Beat-Version");
    if (caller === null) return requested ?? firstVersion;
    const { userId, accountVersion } = caller;
    // A version that only a newer release knows is ignored.
    const pinnedVersion = versionOf(caller.version) ?? versionOf(accountVersion) ?? this.#recentPins.get(userId);
    const version = requested ?? pinnedVersion ?? firstVersion;
    if (accountVersion === undefined && !this.#recentPins.has(userId)) this.#pin(userId, version);
    return version;
  }

  /** Waits for the pins that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.#pinning);
  }

  #pin(userId: number, version: ApiVersion): void {
    this.#recentPins.set(userId, version);
    const pinning = pinAccount(this.#db, userId, version.date, new Date(this.#clock.nowMs()))
      .catch((error) => {
        this.#recentPins.delete(userId);
        this.#log.warn({ err: error }, "Could not pin an account to its version; its next call tries again");
      })
      .finally(() => this.#pinning.delete(pinning));
    this.#pinning.add(pinning);
  }
}

/** Pins an account that has no version. */
async function pinAccount(db: Queryable, userId: number, version: string, now: Date): Promise<void> {
  await db
    .insertInto("account_versions")
    .values({ user_id: userId, version, pinned_at: now })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
}

/** The version of an account; null before its first call. */
export async function findAccountVersion(db: Queryable, userId: number): Promise<string | null> {
  const row = await db
    .selectFrom("account_versions")
    .select("version")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Pins an account to another version, within a second on every instance. */
export async function changeAccountVersion(
  db: Queryable,
  userId: number,
  version: ApiVersion,
  author: AuditAuthor,
  now: Date,
): Promise<void> {
  await transact(db, async (transaction) => {
    await transaction
      .insertInto("account_versions")
      .values({ user_id: userId, version: version.date, pinned_at: now })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ version: version.date, pinned_at: now }))
      .execute();
    await recordAudit(transaction, {
      userId,
      action: "account.version_changed",
      author,
      at: now,
      subject: `Version ${version.date} of the API`,
    });
  });
}
