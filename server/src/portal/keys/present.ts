import { notFound } from "@beatmarket/foundation/errors.ts";
import { type ApiKey as ApiKeyRow, isExpired, type ListedKey, listKeys } from "../../resources/api-keys/queries.ts";
import { principalOf, type SignedInCall } from "../route.ts";

/** A key after a change. */
export async function readListed(call: SignedInCall<{ key_id: number }, unknown, unknown>) {
  const [key] = await listKeys(call.db, principalOf(call), { limit: 1, beforeId: call.params.key_id + 1 });
  if (key === undefined) throw notFound(`There is no API key ${call.params.key_id}.`);
  return { ...listedKeyJson(key, call.clock.nowMs()), permissions_used: [] };
}

export const listedKeyJson = (key: ListedKey, nowMs: number) => ({
  ...keyJson(key, nowMs),
  created_by: key.maker && { user_id: key.maker.userId, name: key.maker.name, email: key.maker.email },
});

export function keyJson(key: ApiKeyRow, nowMs: number) {
  const isOver = isExpired(key, new Date(nowMs));
  return {
    id: key.id,
    name: key.name,
    ends_with: key.endsWith,
    plan: key.plan,
    permissions: key.permissions,
    state: key.revokedAt !== null ? ("revoked" as const) : isOver ? ("expired" as const) : ("active" as const),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    spending_cap: key.spendingCapCents === null ? null : key.spendingCapCents / 100,
    allowed_networks: key.allowedNetworks,
    version: key.version,
  };
}
