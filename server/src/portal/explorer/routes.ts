import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { isOwnPage } from "@beatmarket/http/admission/own-origin.ts";
import type { RateLimitStore, RateWindow } from "@beatmarket/http/rate-limit/store.ts";
import Type from "typebox";
import { type Account, permittedAccount } from "../../access/account.ts";
import { type FindExplorerCaller, unauthorized } from "../../access/admission.ts";
import { bucketNumber } from "../../access/caller.ts";
import { plans } from "../../access/plans.ts";
import { keyPermissionsOf, permissions, requireKeyWithinRole } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { findOwnKey, isExpired, listActiveKeys, markKeysUsed } from "../../resources/api-keys/queries.ts";
import { LimitWindow, limitWindow } from "../keys/schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const tag = "Explorer";

const ExplorerKeys = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          ends_with: Type.String({ description: "The last characters of the key." }),
          permissions: Type.Array(Type.String()),
        },
        { $id: "ExplorerKey", ...closed },
      ),
      { description: "The oldest key comes first." },
    ),
  },
  closed,
);

const ExplorerLimits = Type.Object(
  {
    explorer: Type.Array(LimitWindow, { description: "The limits of this key's calls from the explorer." }),
    key: Type.Array(LimitWindow, {
      description: "The limits of this key's other calls. Empty if the key has no limits.",
    }),
  },
  { $id: "ExplorerLimits", ...closed },
);

/** The account's keys and limits for the explorer. */
export const explorerRoutes = (rateLimits: RateLimitStore): PortalRoute[] => [
  portalRoute({
    operationId: "listExplorerKeys",
    permission: "explorer:use",
    method: "GET",
    path: "/explorer/keys",
    tag,
    summary: "List the active keys that the explorer can use: those with no permission beyond the person's role",
    response: ExplorerKeys,
    handle: async ({ db, clock, account }) => {
      const keys = await listActiveKeys(db, account.userId, new Date(clock.nowMs()));
      const { organisation } = account;
      const memberPermissions = new Set(organisation === null ? permissions : keyPermissionsOf(organisation.role));
      const offeredKeys = keys.filter((key) =>
        key.permissions.every((permission) => memberPermissions.has(permission)),
      );
      return {
        keys: offeredKeys.map(({ id, name, endsWith, permissions }) => ({
          id,
          name,
          ends_with: endsWith,
          permissions,
        })),
      };
    },
  }),
  portalRoute({
    operationId: "getExplorerLimits",
    permission: "explorer:use",
    method: "GET",
    path: "/explorer/keys/:key_id/limits",
    tag,
    summary: "Get how much of a key's limits is left, in the explorer and elsewhere",
    params: Type.Object({ key_id: Type.Integer({ description: "Identifier of the key." }) }),
    response: ExplorerLimits,
    handle: async ({ db, clock, account, params }) => {
      const key = await findOwnKey(db, params.key_id, account.userId);
      if (key === null) throw notFound(`You have no API key ${params.key_id}.`);
      const readLimits = async (caller: "explorer" | "program", windows: readonly RateWindow[]) => {
        const bucket = bucketNumber({ apiKeyId: key.id, fromExplorer: caller === "explorer" });
        const states = await rateLimits.peek(bucket, windows);
        return states.map((state) => limitWindow(state, clock.nowMs()));
      };
      const [explorer, api] = await Promise.all([
        readLimits("explorer", explorerWindows),
        readLimits("program", plans[key.plan]),
      ]);
      return { explorer, key: api };
    },
  }),
];

export interface ExplorerCallerParts {
  db: Queryable;
  clock: Clock;
  /** The account of the portal session; null without a session. */
  findAccount(headers: Headers): Promise<Account | null>;
  /** The origin of the portal's pages, without a trailing slash. */
  publicUrl: string;
}

/** The plan of calls from the explorer, whatever the plan of the key (docs/api/limits.md, Plans). */
const explorerPlan = "plus";
const explorerWindows = plans[explorerPlan];

/** The header with the id of the API key for a call from the explorer. */
const explorerKeyHeader = "x-explorer-key";

/**
 * Returns a function that authenticates calls from the portal's explorer. Such a call has a session and the id of a key
 * instead of the key, so that no key is ever in a browser. The call has the permissions of the key and the explorer's
 * limits (docs/api/limits.md, Plans). Throws 403 for a member whose role has no explorer or may do less than the key.
 * Throws 401 for a call from another origin, without a session, or with a key that belongs to another account, is
 * revoked, or has expired.
 */
export function explorerCaller({ db, clock, findAccount, publicUrl }: ExplorerCallerParts): FindExplorerCaller {
  return async (headers) => {
    const keyId = headers[explorerKeyHeader];
    if (keyId === undefined) return null;
    if (!isOwnPage(headers, publicUrl))
      throw invalidCall("Calls with X-Explorer-Key are for the pages of the portal. Programs send their API key.");
    const owner = await findAccount(new Headers({ cookie: headers.cookie ?? "" }));
    if (owner === null)
      throw invalidCall("Sign in to the portal to make calls from the explorer; your session may have ended.");
    const account = permittedAccount(owner, "explorer:use");
    const key = /^\d{1,15}$/.test(String(keyId)) ? await findOwnKey(db, Number(keyId), account.userId) : null;
    const now = new Date(clock.nowMs());
    if (key === null || key.revokedAt !== null || isExpired(key, now))
      throw invalidCall("The API key chosen in the explorer is revoked, expired or none of yours. Choose another one.");
    if (account.organisation !== null) requireKeyWithinRole(account.organisation, key.permissions, "use");
    // Pages show the time to the minute, so one write a minute is enough.
    if (key.lastUsedAt === null || now.getTime() - key.lastUsedAt.getTime() >= 60_000)
      await markKeysUsed(db, [key.id], now);
    const { id, userId, permissions, expiresAt } = key;
    const expiry = expiresAt === null ? {} : { expiresAtMs: expiresAt.getTime() };
    return {
      keyId: id,
      userId,
      plan: explorerPlan,
      permissions: new Set(permissions),
      hasBeats: true,
      fromExplorer: true,
      ...expiry,
    };
  };
}

const invalidCall = (details: string) => unauthorized(details, "Bearer");
