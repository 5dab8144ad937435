import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import type { RateLimitStore } from "@beatmarket/http/rate-limit/store.ts";
import { keyClients, operationsUsed } from "@beatmarket/request-log/analytics/key-use.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { bucketNumber } from "../../access/caller.ts";
import { plans } from "../../access/plans.ts";
import type { Permission } from "../../access/roles.ts";
import { versionField } from "../../access/versions.ts";
import {
  type ApiKey as ApiKeyRow,
  createKey,
  findOwnKey,
  listActiveKeys,
  listKeys,
  maxActiveKeys,
  revokeKey,
  rotateKey,
} from "../../resources/api-keys/queries.ts";
import { restrictKey } from "../../resources/api-keys/restrict-key.ts";
import type { Accounts } from "../auth/accounts.ts";
import { keyMakerOf } from "../maker.ts";
import { type PortalRoute, portalRoute, principalOf, type SignedInCall } from "../route.ts";
import type { KeyProposals } from "./proposals.ts";
import {
  ApiKey,
  IssuedKey,
  KeyCreation,
  KeyId,
  KeyLimits,
  KeyList,
  KeyRestrictions,
  KeyRotation,
  KeyUse,
  keyJson,
  limitWindow,
  listedKeyJson,
  ProposedKey,
  RotatedKey,
  readListed,
} from "./schema.ts";
import { versionRoutes } from "./version-routes.ts";

export interface KeyRouteParts {
  accounts: Pick<Accounts, "notifyKeyCreated">;
  rateLimits: RateLimitStore;
  callLog: CallLog;
  proposals: KeyProposals;
  /** The permission that each operation of the API needs. */
  permissionOf: ReadonlyMap<string, Permission>;
}

const tag = "API keys";
const plan = "standard";
const maxListed = 200;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxExpiryDays = 3_650;
const maxOverlapHours = 720;
const daysOfPermissions = 30;
const daysOfUse = 7;

/** The account's API keys. */
export const keyRoutes = ({ accounts, rateLimits, callLog, proposals, permissionOf }: KeyRouteParts): PortalRoute[] => [
  portalRoute({
    operationId: "listKeys",
    permission: "keys:read",
    method: "GET",
    path: "/keys",
    tag,
    summary: "List the account's API keys, with the permissions that their calls needed",
    response: KeyList,
    handle: async ({ db, clock, account }) => {
      const nowMs = clock.nowMs();
      const [keys, uses] = await Promise.all([
        listKeys(db, { ownerId: account.userId }, { limit: maxListed }),
        operationsUsed(db, account.userId, daysOfPermissions, nowMs),
      ]);
      const usesByKey = Map.groupBy(
        uses.filter(({ admitted }) => admitted > 0),
        ({ apiKeyId }) => apiKeyId,
      );
      const keyRows = keys.map((key) => {
        const neededPermissions = new Set(usesByKey.get(key.id)?.map(({ operation }) => permissionOf.get(operation)));
        return {
          ...listedKeyJson(key, nowMs),
          permissions_used: key.permissions.filter((permission) => neededPermissions.has(permission)),
        };
      });
      const isActive = ({ state }: { state: string }) => state === "active";
      return {
        keys: [...keyRows.filter(isActive), ...keyRows.filter((key) => !isActive(key))],
        max_active: maxActiveKeys,
      };
    },
  }),
  portalRoute({
    operationId: "proposeKey",
    permission: "keys:write",
    needsStepUp: true,
    method: "POST",
    path: "/keys/proposals",
    tag,
    summary: "Propose a key without storing it; createKey and rotateKey accept it",
    status: 201,
    response: ProposedKey,
    handle: async ({ account, clock }) => proposals.propose(account, clock.nowMs()),
  }),
  portalRoute({
    operationId: "createKey",
    permission: "keys:write",
    needsStepUp: true,
    method: "POST",
    path: "/keys",
    tag,
    summary:
      "Create an API key, which is shown only once; a repeated request with the same proposed key creates one key",
    body: KeyCreation,
    status: 201,
    response: IssuedKey,
    refusals: [409, 429],
    handle: async ({ db, clock, account, body, author }) => {
      const nowMs = clock.nowMs();
      const days = body.expires_in_days;
      if (days !== null && (days < 1 || days > maxExpiryDays))
        throw invalidRequest("The expires_in_days field must be from 1 to 3,650, or null.", "expires_in_days");
      const { name, permissions } = body;
      const version = body.version === null ? null : versionField(body.version);
      const expiresAt = days === null ? null : new Date(nowMs + days * dayMs);
      const key = proposals.accept(body.proposed, account, nowMs);
      const maker = keyMakerOf(account, "make");
      const request = {
        userId: account.userId,
        name,
        plan,
        permissions,
        expiresAt,
        version,
        author,
        key,
        maker,
      } as const;
      const created = await createKey(db, request, new Date(nowMs));
      accounts.notifyKeyCreated(account, { author });
      return { ...keyJson(created, nowMs), key: created.key };
    },
  }),
  ...versionRoutes,
  portalRoute({
    operationId: "getKeyLimits",
    permission: "keys:read",
    method: "GET",
    path: "/keys/limits",
    tag,
    summary: "Get how much of each active key's limits is left",
    response: KeyLimits,
    handle: async ({ db, clock, account }) => {
      const keys = await listActiveKeys(db, account.userId, new Date(clock.nowMs()));
      const windows = async (key: ApiKeyRow) => {
        const bucket = bucketNumber({ apiKeyId: key.id, fromExplorer: false });
        const states = await rateLimits.peek(bucket, plans[key.plan]);
        return states.map((state) => limitWindow(state, clock.nowMs()));
      };
      return { keys: await Promise.all(keys.map(async (key) => ({ id: key.id, windows: await windows(key) }))) };
    },
  }),
  portalRoute({
    operationId: "rotateKey",
    permission: "keys:write",
    needsStepUp: true,
    method: "POST",
    path: "/keys/:key_id/rotate",
    tag,
    summary: "Replace a key by a new one; the old one still works for some time",
    params: KeyId,
    body: KeyRotation,
    status: 201,
    response: RotatedKey,
    refusals: [409, 429],
    handle: async (call) => {
      const { db, clock, params, body, account } = call;
      const nowMs = clock.nowMs();
      const hours = body.overlap_hours;
      if (hours < 0 || hours > maxOverlapHours)
        throw invalidRequest("The overlap_hours field must be from 0 to 720.", "overlap_hours");
      const key = proposals.accept(body.proposed, account, nowMs);
      const rotated = await rotateKey(db, params.key_id, principalOf(call), hours * hourMs, new Date(nowMs), {
        key,
        maker: keyMakerOf(account, "rotate"),
      });
      accounts.notifyKeyCreated(account, call);
      return {
        ...keyJson(rotated, nowMs),
        key: rotated.key,
        replaced_expires_at: rotated.replacedExpiresAt.toISOString(),
      };
    },
  }),
  portalRoute({
    operationId: "restrictKey",
    permission: "keys:write",
    needsStepUp: true,
    method: "POST",
    path: "/keys/:key_id/restrictions",
    tag,
    summary: "Set how much a key may spend, and from which networks it may be used",
    params: KeyId,
    body: KeyRestrictions,
    response: ApiKey,
    refusals: [409],
    handle: async (call) => {
      const { db, clock, params, body } = call;
      const cap = body.spending_cap;
      const restrictions = {
        spendingCapCents: cap === null ? null : centsOf(cap),
        allowedNetworks: body.allowed_networks,
      };
      const principal = principalOf(call);
      await restrictKey(db, params.key_id, restrictions, principal, new Date(clock.nowMs()));
      return readListed(call);
    },
  }),
  portalRoute({
    operationId: "getKeyUse",
    permission: "keys:read",
    method: "GET",
    path: "/keys/:key_id/use",
    tag,
    summary: "Get what used a key in the last seven days",
    params: KeyId,
    response: KeyUse,
    handle: async (call) => {
      const { db, clock, account } = call;
      const key = await requireOwn(call);
      const nowMs = clock.nowMs();
      const [uses, { clients, isPartial }] = await Promise.all([
        operationsUsed(db, account.userId, daysOfUse, nowMs),
        keyClients(callLog.store, key.id, nowMs - daysOfUse * dayMs),
      ]);
      return {
        operations: uses
          .filter(({ apiKeyId }) => apiKeyId === key.id)
          .map(({ operation, admitted, refused }) => ({
            operation: operation || "none",
            calls: admitted + refused,
            refused,
          })),
        clients: clients.map(({ clientAddress, userAgent, calls, lastAt }) => ({
          client_address: clientAddress,
          user_agent: userAgent,
          calls,
          last_at: lastAt.toISOString(),
        })),
        clients_are_partial: isPartial,
      };
    },
  }),
  portalRoute({
    operationId: "revokeKey",
    permission: "keys:write",
    method: "POST",
    path: "/keys/:key_id/revoke",
    tag,
    summary: "Revoke a key permanently, everywhere within a second",
    params: KeyId,
    response: ApiKey,
    handle: async (call) => {
      const { db, clock, params } = call;
      await revokeKey(db, params.key_id, principalOf(call), new Date(clock.nowMs()));
      return readListed(call);
    },
  }),
];

type AnyCall = Pick<SignedInCall<unknown, unknown, unknown>, "db" | "clock" | "account" | "author">;

/** Throws 404 for a key that does not exist or belongs to another account. */
async function requireOwn({ db, account, params }: AnyCall & { params: { key_id: number } }): Promise<ApiKeyRow> {
  const key = await findOwnKey(db, params.key_id, account.userId);
  if (key === null) throw notFound(`There is no API key ${params.key_id}.`);
  return key;
}

/** Converts an amount to cents. The rounding only removes floating-point errors; more than two decimals are refused. */
const centsOf = (amount: number): number =>
  Number(amount.toFixed(2)) === amount ? Math.round(amount * 100) : Number.NaN;
