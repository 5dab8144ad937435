import { notFound } from "@beatmarket/foundation/errors.ts";
import type { WindowState } from "@beatmarket/http/rate-limit/store.ts";
import Type, { type Static } from "typebox";
import { planNames } from "../../access/plans.ts";
import { permissions } from "../../access/roles.ts";
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
  ends_with: Type.String({ description: "The last four characters of the key." }),
  plan: Type.Enum([...planNames]),
  permissions: Type.Array(Permission),
  state: Type.Enum(["active", "expired", "revoked"]),
  created_at: time,
  expires_at: timeOrNever("When the key expires. Null if it never does."),
  revoked_at: timeOrNever("When the key was revoked. Null if it was not."),
  last_used_at: timeOrNever("When the key was last used, to the minute. Null if it never was."),
  spending_cap: Type.Union([Type.Number(), Type.Null()], {
    description: "The most that the key may spend on orders in any 30 days. Null if there is no cap.",
  }),
  allowed_networks: Type.Array(Type.String(), {
    description: "The IP addresses and networks that may use the key. An empty list allows all.",
  }),
  version: Type.Union([Type.String(), Type.Null()], {
    description:
      "The version of the API that the key's calls get without the header Beat-Version. Null if they get the account's.",
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
      description: "Who created the key. Null if an operator did, or if it was not recorded.",
    }),
    permissions_used: Type.Array(Permission, {
      description: "The key's permissions that calls of the last 30 days needed.",
    }),
  },
  { $id: "ApiKey", ...closed },
);

export const KeyList = Type.Object(
  {
    keys: Type.Array(ApiKey, { description: "Active keys come first, then the newest." }),
    max_active: Type.Integer({ description: "The number of active keys that an account may have." }),
  },
  closed,
);

export const ProposedKey = Type.Object(
  {
    key: Type.String({ description: "The proposed key. It works once it is created." }),
    proof: Type.String({
      maxLength: 100,
      description: "A signature that the service proposed this key to the account, valid for a day.",
    }),
  },
  { $id: "ProposedKey", ...closed },
);

export const KeyCreation = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: "The purpose of the key." }),
  permissions: Type.Array(Permission, { minItems: 1 }),
  expires_in_days: Type.Union([Type.Integer(), Type.Null()], {
    description: "The number of days until the key expires, from 1 to 3,650. Null: it never expires.",
    default: null,
  }),
  version: Type.Union([versionText, Type.Null()], {
    description: "The version of the API that the key's calls get. Null: that of the account.",
    default: null,
  }),
  proposed: ProposedKey,
});

export const KeyVersion = Type.Object({
  version: Type.Union([versionText, Type.Null()], {
    description: "The version of the API. Null for the account's version.",
  }),
});

export const NewAccountVersion = Type.Object({ version: versionText });

export const AccountVersion = Type.Object(
  {
    version: Type.Union([Type.String(), Type.Null()], {
      description: "The account's version of the API. Null before the first call, which sets it.",
    }),
  },
  { $id: "AccountVersion", ...closed },
);

export const KeyRotation = Type.Object({
  overlap_hours: Type.Integer({ description: "The number of hours for which the old key still works, from 0 to 720." }),
  proposed: ProposedKey,
});

export const KeyRestrictions = Type.Object({
  spending_cap: Type.Union([Type.Number({ minimum: 0.01, maximum: 1_000_000, multipleOf: 0.01 }), Type.Null()], {
    description: "The most that the key may spend on orders in any 30 days, from 0.01. Null removes the cap.",
  }),
  allowed_networks: Type.Array(Type.String({ maxLength: 50 }), {
    maxItems: 20,
    description:
      "The IP addresses and networks that may use the key, such as 203.0.113.0/24. An empty list allows all.",
  }),
});

/** Only this response, `ProposedKey` and `RotatedKey` contain a key. */
export const IssuedKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: "The key, which is shown only once." }),
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
      { description: 'The operation with the most calls comes first. "none" stands for paths outside of the API.' },
    ),
    clients: Type.Array(
      Type.Object(
        { client_address: Type.String(), user_agent: Type.String(), calls: Type.Integer(), last_at: time },
        closed,
      ),
      { description: "At most ten clients, the latest first." },
    ),
    clients_are_partial: Type.Boolean({ description: "Whether `clients` is from the newest 20,000 calls only." }),
  },
  { $id: "KeyUse", ...closed, description: "What used the key in the last seven days." },
);

/** One rate-limit window of a key, with the remaining calls. */
export const LimitWindow = Type.Object(
  {
    name: Type.Enum(["minute", "hour", "day"]),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    resets_in_seconds: Type.Integer({ description: "The number of seconds until the window admits another request." }),
  },
  { $id: "LimitWindow", additionalProperties: false },
);

export const KeyLimits = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          windows: Type.Array(LimitWindow, {
            description: "The windows of the key's limits. Empty if it has no limits.",
          }),
        },
        closed,
      ),
      { description: "The active keys, the oldest first." },
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
