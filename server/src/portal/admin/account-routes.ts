import { endSessionsOfUser, listSessionsOfUser } from "@beatmarket/authentication/sessions.ts";
import type { RateLimitStore } from "@beatmarket/http/rate-limit/store.ts";
import type { TemplatedMail } from "@beatmarket/mail/mailer.ts";
import { analyse } from "@beatmarket/request-log/analytics/analytics.ts";
import { periodOfSpan } from "@beatmarket/request-log/analytics/period.ts";
import Type from "typebox";
import { bucketNumber } from "../../access/caller.ts";
import { planNames, plans } from "../../access/plans.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ApiKey, changePlan, listKeys, revokeKey } from "../../resources/api-keys/queries.ts";
import { addressesOf, listMembers } from "../../resources/organisations/members.ts";
import {
  accountKinds,
  findListedAccount,
  type ListedAccount,
  searchAccounts,
} from "../../resources/users/all-accounts.ts";
import {
  type StandingAccount,
  setCommission,
  suspendAccount,
  unsuspendAccount,
} from "../../resources/users/standing.ts";
import { type MailText, suspendedMail, unsuspendedMail } from "../auth/mails.ts";
import { keyState, LimitWindow, limitWindow } from "../keys/schema.ts";
import { RoleField } from "../organisation-schema.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import { AccountShop, type AccountShopParts, readAccountShop } from "./account-shop.ts";
import {
  before,
  closed,
  iso,
  listLimit,
  next,
  orNull,
  pageOf,
  reason,
  text,
  time,
  timeOrNull,
  UserId,
} from "./shapes.ts";

export interface AdminAccountParts {
  rateLimits: RateLimitStore;
  publicUrl: string;
  payouts: AccountShopParts;
  /** Sends a notice in the background. */
  notify(write: () => Promise<TemplatedMail>): void;
}

const tag = "Operate";
const maxKeys = 50;

const accountFields = {
  id: Type.Integer(),
  email: orNull(Type.String(), "The e-mail address. Null for an organisation."),
  username: Type.String(),
  name: Type.String(),
  operator: Type.Boolean(),
  marketplace: Type.Boolean({ description: "Whether the account's webhooks receive every purchase." }),
  producer: Type.Boolean(),
  suspension: orNull(
    Type.Object({ at: time, reason: Type.String() }, closed),
    "The suspension. Null if the account is not suspended.",
  ),
  active_keys: Type.Integer(),
  last_used_at: timeOrNull("When one of the account's keys was last used, to the minute. Null if none was."),
  created_at: time,
};

const AdminAccounts = Type.Object(
  { accounts: Type.Array(Type.Object(accountFields, { $id: "AdminAccount", ...closed })), next },
  { ...closed, description: "The newest account comes first." },
);

const AdminKey = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    ends_with: Type.String(),
    plan: Type.Enum([...planNames]),
    permissions: Type.Array(Type.String()),
    state: Type.Enum(["active", "expired", "revoked"]),
    created_at: time,
    last_used_at: timeOrNull("When the key was last used, to the minute. Null if it never was."),
    windows: Type.Array(LimitWindow, {
      description: "The windows of the key's limits. Empty if the key has no limits or is not active.",
    }),
  },
  { $id: "AdminKey", ...closed },
);

const AdminAccountDetail = Type.Object(
  {
    ...accountFields,
    shop: AccountShop,
    keys: Type.Array(AdminKey, { description: "At most 50 keys, the newest first." }),
    day: Type.Object(
      {
        calls: Type.Integer(),
        refusals: Type.Integer({ description: "The number of responses with 4xx." }),
        failures: Type.Integer({ description: "The number of responses with 5xx." }),
        p95_ms: orNull(Type.Number(), "95 % of the calls took no longer than this. Null if there were no calls."),
      },
      { ...closed, description: "The calls of the last 24 hours." },
    ),
    members: Type.Array(
      Type.Object(
        { user_id: Type.Integer(), name: Type.String(), email: Type.String(), role: RoleField, joined_at: time },
        closed,
      ),
      { description: "The members of an organisation, owners first." },
    ),
    sessions: Type.Array(Type.Object({ started_at: time, used_at: time, user_agent: Type.String() }, closed), {
      description: "At most 20 sessions of the portal, the most recently used first. `used_at` is to the day.",
    }),
  },
  { $id: "AdminAccountDetail", ...closed },
);

const Reason = Type.Object({ reason });
const KeyId = Type.Object({ key_id: Type.Integer({ description: "Identifier of the key." }) });

/** The operators' routes for accounts (find, show, commission, suspend) and for their keys (plan, revoke). */
export const adminAccountRoutes = ({ rateLimits, publicUrl, payouts, notify }: AdminAccountParts): PortalRoute[] => {
  const detail = async (db: Queryable, userId: number, nowMs: number) => {
    const now = new Date(nowMs);
    const account = await findListedAccount(db, userId, now);
    const [shop, keys, day, members, sessions] = await Promise.all([
      readAccountShop(db, userId, payouts, nowMs),
      listKeys(db, { ownerId: userId }, { limit: maxKeys }),
      analyse(db, { userId, period: periodOfSpan("day", nowMs), nowMs }),
      listMembers(db, userId),
      listSessionsOfUser(db, userId, now),
    ]);
    return {
      ...accountJson(account),
      shop,
      keys: await Promise.all(keys.map((key) => keyWithWindows(rateLimits, key, nowMs))),
      day: { calls: day.calls, refusals: day.classes[4], failures: day.classes[5], p95_ms: day.p95 },
      members: members.map(({ userId: id, joinedAt, ...member }) => ({
        user_id: id,
        ...member,
        joined_at: joinedAt.toISOString(),
      })),
      sessions: sessions.map(({ startedAt, usedAt, userAgent }) => ({
        started_at: startedAt.toISOString(),
        used_at: usedAt.toISOString(),
        user_agent: userAgent,
      })),
    };
  };
  const mailAddresses = async (db: Queryable, account: StandingAccount, mail: MailText) => {
    for (const to of await addressesOf(db, account)) notify(async () => ({ to, ...mail }));
  };
  return [
    operatorRoute({
      operationId: "listAdminAccounts",
      method: "GET",
      path: "/admin/accounts",
      tag,
      summary: "Find accounts by e-mail address, name, id or key, newest first",
      query: Type.Object({
        q: text(
          254,
          "An id, the beginning of an e-mail address or a name, the last four characters of a key, or the key's SHA-256 in hexadecimal.",
        ),
        kind: Type.Optional(Type.Enum([...accountKinds], { description: "Only accounts of this kind." })),
        before,
      }),
      response: AdminAccounts,
      handle: async ({ db, clock, query: { q: search, kind, before: beforeId } }) => {
        const now = new Date(clock.nowMs());
        const page = pageOf(await searchAccounts(db, { search, kind, beforeId, limit: listLimit + 1, now }));
        return { accounts: page.items.map(accountJson), next: page.next };
      },
    }),
    operatorRoute({
      operationId: "getAdminAccount",
      method: "GET",
      path: "/admin/accounts/:user_id",
      tag,
      summary: "Get an account with its sales, money, keys, calls and sessions",
      params: UserId,
      response: AdminAccountDetail,
      handle: ({ db, clock, params }) => detail(db, params.user_id, clock.nowMs()),
    }),
    operatorRoute({
      operationId: "setCommission",
      movesMoney: true,
      method: "POST",
      path: "/admin/accounts/:user_id/commission",
      tag,
      summary: "Set the marketplace's commission on an account's new sales; earlier sales keep their commission",
      params: UserId,
      body: Type.Object({
        basis_points: Type.Union([Type.Integer({ minimum: 0, maximum: 10_000 }), Type.Null()], {
          description: "The commission in hundredths of a percent: 1500 is 15 %. Null sets the default of the service.",
        }),
        reason,
      }),
      response: AdminAccountDetail,
      handle: async ({ db, clock, params, body, author }) => {
        const { basis_points: basisPoints, reason } = body;
        await setCommission(db, { id: params.user_id }, { basisPoints, reason, author, now: new Date(clock.nowMs()) });
        return detail(db, params.user_id, clock.nowMs());
      },
    }),
    operatorRoute({
      operationId: "suspendAccount",
      method: "POST",
      path: "/admin/accounts/:user_id/suspend",
      tag,
      summary:
        "Suspend an account and mail its owner; keys, sessions and webhooks stop within a second, and its beats go off sale",
      params: UserId,
      body: Type.Object({
        reason,
        keep_beats: Type.Boolean({ default: false, description: "Whether the beats of the account stay on sale." }),
      }),
      response: AdminAccountDetail,
      refusals: [409],
      changesContent: () => true,
      handle: async ({ db, clock, params, body, author }) => {
        const { reason, keep_beats: keepsBeats } = body;
        const request = { reason, keepsBeats, author, now: new Date(clock.nowMs()) };
        const account = await suspendAccount(db, { id: params.user_id }, request, endSessionsOfUser);
        await mailAddresses(db, account, suspendedMail(account, body.reason));
        return detail(db, params.user_id, clock.nowMs());
      },
    }),
    operatorRoute({
      operationId: "unsuspendAccount",
      method: "POST",
      path: "/admin/accounts/:user_id/unsuspend",
      tag,
      summary: "Lift a suspension and mail the owner",
      params: UserId,
      body: Reason,
      response: AdminAccountDetail,
      refusals: [409],
      changesContent: () => true,
      handle: async ({ db, clock, params, body, author }) => {
        const request = { reason: body.reason, author, now: new Date(clock.nowMs()) };
        const account = await unsuspendAccount(db, { id: params.user_id }, request);
        await mailAddresses(db, account, unsuspendedMail(account, publicUrl));
        return detail(db, params.user_id, clock.nowMs());
      },
    }),
    operatorRoute({
      operationId: "changeKeyPlan",
      movesMoney: true,
      method: "POST",
      path: "/admin/keys/:key_id/plan",
      tag,
      summary: "Change the plan of a key",
      params: KeyId,
      body: Type.Object({ plan: Type.Enum([...planNames]), reason }),
      response: AdminKey,
      refusals: [409],
      handle: async ({ db, clock, params, body, author }) => {
        const nowMs = clock.nowMs();
        const key = await changePlan(db, params.key_id, body.plan, author, new Date(nowMs), body.reason);
        return keyWithWindows(rateLimits, key, nowMs);
      },
    }),
    operatorRoute({
      operationId: "revokeAnyKey",
      method: "POST",
      path: "/admin/keys/:key_id/revoke",
      tag,
      summary: "Revoke a key of any account permanently, everywhere within a second",
      params: KeyId,
      body: Reason,
      response: AdminKey,
      handle: async ({ db, clock, params, body, author }) => {
        const nowMs = clock.nowMs();
        const key = await revokeKey(db, params.key_id, author, new Date(nowMs), body.reason);
        return keyWithWindows(rateLimits, key, nowMs);
      },
    }),
  ];
};

const accountJson = (account: ListedAccount) => ({
  id: account.id,
  email: account.email,
  username: account.username,
  name: account.displayName,
  operator: account.isOperator,
  marketplace: account.isMarketplace,
  producer: account.isProducer,
  suspension: account.suspension && {
    at: account.suspension.at.toISOString(),
    reason: account.suspension.reason,
  },
  active_keys: account.activeKeys,
  last_used_at: iso(account.lastUsedAt),
  created_at: account.createdAt.toISOString(),
});

async function keyWithWindows(rateLimits: RateLimitStore, key: ApiKey, nowMs: number) {
  const state = keyState(key, nowMs);
  const bucket = bucketNumber({ apiKeyId: key.id, fromExplorer: false });
  const windows = state === "active" ? await rateLimits.peek(bucket, plans[key.plan]) : [];
  return {
    id: key.id,
    name: key.name,
    ends_with: key.endsWith,
    plan: key.plan,
    permissions: key.permissions as string[],
    state,
    created_at: key.createdAt.toISOString(),
    last_used_at: iso(key.lastUsedAt),
    windows: windows.map((window) => limitWindow(window, nowMs)),
  };
}
