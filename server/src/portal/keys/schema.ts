import { notFound } from "@beatmarket/foundation/errors.ts";
import type { WindowState } from "@beatmarket/http/rate-limit/store.ts";
import Type, { type Static } from "typebox";
import { permissions } from "../../access/permissions.ts";
import { planNames } from "../../access/plans.ts";
import { type ApiKey as ApiKeyRow, isExpired, type ListedKey, listKeys } from "../../resources/api-keys/queries.ts";
import { principalOf, type SignedInCall } from "../route.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time" });
const timeOrNever = (description: string) => Type.Union([time, Type.Null()], { description });
const Permission = Type.Enum([...permissions]);

const versionText = Type.String({ minLength: 1, maxLength: 40, description: "A date, such as 2026-11-20." });

export const KeyId = Type.Object({ key_id: Type.Integer({ description: "Identifier of the key." }) });

const keyFields = {
  id: Type.Integer(),
  name: Type.String(),
  ends_with: Type.String({ description: "Its last four characters." }),
  plan: Type.Enum([...planNames]),
  permissions: Type.Array(Permission),
  state: Type.Enum(["active", "expired", "revoked"]),
  created_at: time,
  expires_at: timeOrNever("Null: never."),
  revoked_at: timeOrNever("Null: not revoked."),
  last_used_at: timeOrNever("To the minute; null: never used."),
  spending_cap: Type.Union([Type.Number(), Type.Null()], {
    description: "What it may spend on orders in any 30 days; null: no cap.",
  }),
  allowed_networks: Type.Array(Type.String(), {
    description: "IP addresses and networks that may use it; empty: all.",
  }),
  version: Type.Union([Type.String(), Type.Null()], {
    description: "The version of the API that its calls get without a Beat-Version header; null: the account's.",
  }),
};

/** The person who created a key or an endpoint. */
const Maker = Type.Object(
  { user_id: Type.Integer(), name: Type.String(), email: Type.Union([Type.String(), Type.Null()]) },
  { $id: "Maker", ...closed },
);

export const ApiKey = Type.Object(
  {
    ...keyFields,
    created_by: Type.Union([Maker, Type.Null()], {
      description: "Null: an operator made it, or nobody recorded who did.",
    }),
    permissions_used: Type.Array(Permission, {
      description: "Of its permissions, those that calls of the last 30 days needed.",
    }),
  },
  { $id: "ApiKey", ...closed },
);

export const KeyList = Type.Object(
  {
    keys: Type.Array(ApiKey, { description: "Active ones first, then newest first." }),
    max_active: Type.Integer({ description: "How many active keys an account may have." }),
  },
  closed,
);

export const ProposedKey = Type.Object(
  {
    key: Type.String({ description: "It works once an account has made it its own." }),
    proof: Type.String({
      maxLength: 100,
      description: "That this service proposed it to the account; valid for a day.",
    }),
  },
  { $id: "ProposedKey", ...closed },
);

export const KeyCreation = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for." }),
  permissions: Type.Array(Permission, { minItems: 1 }),
  expires_in_days: Type.Union([Type.Integer(), Type.Null()], {
    description: "From 1 to 3,650; null: never.",
    default: null,
  }),
  version: Type.Union([versionText, Type.Null()], {
    description: "The version of the API that its calls get; null: the account's.",
    default: null,
  }),
  proposed: ProposedKey,
});

export const KeyVersion = Type.Object({
  version: Type.Union([versionText, Type.Null()], { description: "Null: the account's." }),
});

export const NewAccountVersion = Type.Object({ version: versionText });

export const AccountVersion = Type.Object(
  {
    version: Type.Union([Type.String(), Type.Null()], {
      description: "Null before the account's first call, which pins it.",
    }),
  },
  { $id: "AccountVersion", ...closed },
);

export const KeyRotation = Type.Object({
  overlap_hours: Type.Integer({ description: "How long the old key still works: 0 to 720." }),
  proposed: ProposedKey,
});

export const KeyRestrictions = Type.Object({
  spending_cap: Type.Union([Type.Number({ minimum: 0.01, maximum: 1_000_000, multipleOf: 0.01 }), Type.Null()], {
    description: "What it may spend on orders in any 30 days, from 0.01; null: no cap.",
  }),
  allowed_networks: Type.Array(Type.String({ maxLength: 50 }), {
    maxItems: 20,
    description: "IP addresses and networks, such as 203.0.113.0/24, that may use it; empty: all.",
  }),
});

/** The only response that contains a key. */
export const IssuedKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: "The key itself; it cannot be shown again." }),
  },
  { $id: "IssuedKey", ...closed },
);

export const RotatedKey = Type.Object(
  { ...keyFields, key: Type.String(), replaced_expires_at: time },
  { $id: "RotatedKey", ...closed },
);

export const KeyUse = Type.Object(
  {
    operations: Type.Array(
      Type.Object({ operation: Type.String(), calls: Type.Integer(), refused: Type.Integer() }, closed),
      { description: 'Most called first; "none" is for paths outside of the API.' },
    ),
    clients: Type.Array(
      Type.Object(
        { client_address: Type.String(), user_agent: Type.String(), calls: Type.Integer(), last_at: time },
        closed,
      ),
      { description: "Latest first, at most ten." },
    ),
    clients_are_partial: Type.Boolean({ description: "Only the newest 20,000 calls were looked at for `clients`." }),
  },
  { $id: "KeyUse", ...closed, description: "What used the key in the last seven days." },
);

/** One rate-limit window of a key, with the remaining calls. */
export const LimitWindow = Type.Object(
  {
    name: Type.Enum(["minute", "hour", "day"]),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    resets_in_seconds: Type.Integer({ description: "Until the window next frees a request." }),
  },
  { $id: "LimitWindow", additionalProperties: false },
);

export const KeyLimits = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        { id: Type.Integer(), windows: Type.Array(LimitWindow, { description: "Empty without limits." }) },
        closed,
      ),
      { description: "The active keys, oldest first." },
    ),
  },
  closed,
);

/** Reads the key of a call again after a change. Throws 404 if the key does not exist. */
export async function readListed(call: SignedInCall<{ key_id: number }, unknown, unknown>) {
  const [key] = await listKeys(call.db, principalOf(call), { limit: 1, beforeId: call.params.key_id + 1 });
  if (key === undefined) throw notFound(`There is no API key ${call.params.key_id}.`);
  return { ...listedKeyJson(key, call.clock.nowMs()), permissions_used: [] };
}

export const listedKeyJson = (key: ListedKey, nowMs: number) => ({
  ...keyJson(key, nowMs),
  created_by: key.maker && { user_id: key.maker.userId, name: key.maker.name, email: key.maker.email },
});

export function keyState(key: ApiKeyRow, nowMs: number): "active" | "expired" | "revoked" {
  if (key.revokedAt !== null) return "revoked";
  return isExpired(key, new Date(nowMs)) ? "expired" : "active";
}

export function keyJson(key: ApiKeyRow, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    ends_with: key.endsWith,
    plan: key.plan,
    permissions: key.permissions,
    state: keyState(key, nowMs),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    spending_cap: key.spendingCapCents === null ? null : key.spendingCapCents / 100,
    allowed_networks: key.allowedNetworks,
    version: key.version,
  };
}

export const limitWindow = (
  { window, remaining, resetAtMs }: WindowState,
  nowMs: number,
): Static<typeof LimitWindow> => ({
  name: window.name,
  limit: window.limit,
  remaining,
  resets_in_seconds: Math.max(0, Math.ceil((resetAtMs - nowMs) / 1000)),
});
