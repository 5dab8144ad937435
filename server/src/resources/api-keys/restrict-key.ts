import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { readNetworks } from "@beatmarket/http/admission/allowed-networks.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { isOperator, recordAudit } from "../audit/queries.ts";
import { type ApiKey, type KeyManager, lockKey } from "./queries.ts";

export interface KeyRestrictions {
  /** Null: no cap. */
  spendingCapCents: number | null;
  /** Empty: all addresses. */
  allowedNetworks: readonly string[];
}

const maxSpendingCapCents = 100_000_000;

/** Throws 400 for an invalid cap. */
export function checkSpendingCap(cents: number | null): void {
  if (cents === null || (Number.isInteger(cents) && cents >= 1 && cents <= maxSpendingCapCents)) return;
  throw invalidRequest(
    `A spending cap is from 0.01 to ${formatCents(maxSpendingCapCents)}, with at most two decimals; leave it out for no cap.`,
    "spending_cap",
  );
}

/**
 * Restricts the amount that a key may spend and the addresses from which it may be used (docs/api/authentication.md,
 * Restrictions), within a second on every instance. Throws 400 for invalid restrictions, 404 for an unknown key, 409
 * for a revoked one.
 */
export async function restrictKey(
  db: Queryable,
  keyId: number,
  { spendingCapCents, allowedNetworks }: KeyRestrictions,
  manager: KeyManager,
  now: Date,
): Promise<ApiKey> {
  checkSpendingCap(spendingCapCents);
  const networks = readNetworks(allowedNetworks);
  return transact(db, async (transaction) => {
    const key = await lockKey(transaction, keyId, manager);
    if (key.revokedAt !== null) throw conflict(`API key ${keyId} is revoked; nothing can be done with it any more.`);
    await transaction
      .updateTable("api_keys")
      .set({ spending_cap_cents: spendingCapCents, allowed_networks: networks })
      .where("id", "=", keyId)
      .execute();
    const cap = spendingCapCents === null ? "no spending cap" : `spending cap ${formatCents(spendingCapCents)}`;
    const from = networks.length === 0 ? "from any address" : `from ${networks.join(", ")}`;
    await recordAudit(transaction, {
      userId: key.userId,
      action: "api_key.restricted",
      at: now,
      author: isOperator(manager) ? manager : (manager.author ?? "operator"),
      subject: `API key ${key.id} (${key.name}, …${key.endsWith}): ${cap}, ${from}`,
    });
    return { ...key, spendingCapCents, allowedNetworks: networks };
  });
}

/**
 * Pins a key to a version of the API, within a second on every instance; null pins it to the account's version. Throws
 * 404 for an unknown key, 409 for a revoked one.
 */
export async function pinKey(
  db: Queryable,
  keyId: number,
  version: string | null,
  manager: KeyManager,
  now: Date,
): Promise<ApiKey> {
  return transact(db, async (transaction) => {
    const key = await lockKey(transaction, keyId, manager);
    if (key.revokedAt !== null) throw conflict(`API key ${keyId} is revoked; nothing can be done with it any more.`);
    await transaction.updateTable("api_keys").set({ api_version: version }).where("id", "=", keyId).execute();
    await recordAudit(transaction, {
      userId: key.userId,
      action: "api_key.version_changed",
      at: now,
      author: isOperator(manager) ? manager : (manager.author ?? "operator"),
      subject: `API key ${key.id} (${key.name}, …${key.endsWith}): ${version === null ? "the account's version" : `version ${version}`}`,
    });
    return { ...key, version };
  });
}
