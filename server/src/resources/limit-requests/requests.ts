import type { Clock } from "@beatmarket/foundation/clock.ts";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { type PlanName, planNames } from "../../access/plans.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ApiKey, changePlan, isExpired, lockKey } from "../api-keys/queries.ts";
import type { Operator } from "../audit/queries.ts";
import { operatorsOf, queueMails } from "../mails/outbox.ts";

/** The plans that an account can request. */
export const requestablePlans = ["plus", "partner"] as const;
export type RequestablePlan = (typeof requestablePlans)[number];
export const limitRequestStates = ["open", "granted", "refused"] as const;

/** A request for a higher plan of an API key. */
export interface LimitRequest {
  id: number;
  user_id: number;
  api_key_id: number;
  plan: RequestablePlan;
  /** Null after the account, or the member who wrote it, was erased. */
  reason: string | null;
  state: (typeof limitRequestStates)[number];
  created_at: Date;
  /** The operator's sentence to the account. Null unless the request was refused. */
  response: string | null;
}

/** An open request, with the facts that an operator needs. */
export interface OpenLimitRequest extends LimitRequest {
  account: string;
  key: { name: string; ends_with: string; plan: PlanName };
}

export interface LimitRequestParts {
  db: Queryable;
  clock: Pick<Clock, "nowMs">;
  publicUrl: string;
}

const maxRefusals = 3;
const shownDays = 90;
const storageYears = 3;
const dayMs = 86_400_000;

const selectRequests = (db: Queryable) =>
  db
    .selectFrom("limit_requests as request")
    .innerJoin("api_keys as key", "key.id", "request.api_key_id")
    .select([
      "request.id",
      "request.user_id",
      "request.api_key_id",
      "request.plan",
      "request.reason",
      "request.state",
      "request.created_at",
      "request.response",
    ])
    .$narrowType<LimitRequest>();

/** Returns the newest request of each unrevoked key of an account. Requests older than 90 days are left out. */
export async function listLimitRequests(db: Queryable, userId: number, now: Date): Promise<LimitRequest[]> {
  return selectRequests(db)
    .distinctOn("request.api_key_id")
    .where("request.user_id", "=", userId)
    .where("request.created_at", ">", new Date(now.getTime() - shownDays * dayMs))
    .where("key.revoked_at", "is", null)
    .orderBy("request.api_key_id")
    .orderBy("request.id", "desc")
    .execute();
}

/** Selects open requests whose keys still work and have a lower plan than requested. */
const selectOpen = (db: Queryable, now: Date) =>
  selectRequests(db)
    .where("request.state", "=", "open")
    .where("key.revoked_at", "is", null)
    .where((expression) =>
      expression.or([expression("key.expires_at", "is", null), expression("key.expires_at", ">", now)]),
    )
    .where(
      sql<boolean>`array_position(${planNames}::text[], key.plan) < array_position(${planNames}::text[], request.plan)`,
    );

/** Returns the number of open requests, or `atMost` if there are more. */
export async function countOpenLimitRequests(db: Queryable, now: Date, atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom(selectOpen(db, now).limit(atMost).as("open"))
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns open requests, oldest first. */
export async function listOpenLimitRequests(db: Queryable, now: Date, limit: number): Promise<OpenLimitRequest[]> {
  const rows = await selectOpen(db, now)
    .innerJoin("users", "users.id", "request.user_id")
    .select(["users.display_name as account", "key.name", "key.ends_with", "key.plan as key_plan"])
    .$narrowType<{ key_plan: PlanName }>()
    .orderBy("request.id")
    .limit(limit)
    .execute();
  return rows.map(({ name, ends_with, key_plan, ...request }) => ({
    ...request,
    key: { name, ends_with, plan: key_plan },
  }));
}

const isAtLeast = (plan: PlanName, other: PlanName): boolean => planNames.indexOf(plan) >= planNames.indexOf(other);

/**
 * Stores a request and mails it to all operators. Throws 400 if the reason is not a valid text, and 404 for another
 * account's key. Throws 409 if the key has the plan or a higher one, no longer works, has an open request, or has had
 * three refused requests.
 */
export async function requestLimits(
  { db, clock, publicUrl }: LimitRequestParts,
  {
    keyId,
    userId,
    personId,
    ...requested
  }: { keyId: number; userId: number; personId: number; plan: RequestablePlan; reason: string },
): Promise<void> {
  const reason = readText(requested.reason, "reason");
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    const key = await lockKey(transaction, keyId, { ownerId: userId });
    requireRaisable(key, requested.plan, now);
    const earlier = await selectRequests(transaction).where("request.api_key_id", "=", keyId).execute();
    // The key may have got the plan of an open request in another way. That request is closed below.
    const open = earlier.find((request) => request.state === "open");
    if (open !== undefined && !isAtLeast(key.plan, open.plan))
      throw conflict(`The plan ${open.plan} was requested for this key already. You get a mail with the decision.`);
    if (open !== undefined) await close(transaction, open.id, { state: "granted", now });
    if (earlier.filter(({ state }) => state === "refused").length >= maxRefusals)
      throw conflict(`Higher limits of this key were refused ${maxRefusals} times. Write to the operator instead.`);
    await transaction
      .insertInto("limit_requests")
      .values({
        user_id: userId,
        person_id: personId,
        api_key_id: keyId,
        plan: requested.plan,
        reason,
        created_at: now,
      })
      .execute();
    const { display_name: account } = await transaction
      .selectFrom("users")
      .select("display_name")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const facts = {
      account,
      plan: requested.plan,
      present: key.plan,
      message: reason,
      key: `${key.id} (${key.name}, …${key.endsWith})`,
      link: `${publicUrl}/portal/admin/accounts`,
    };
    const operators = await operatorsOf(transaction);
    await queueMails(
      transaction,
      operators.map((mail) => ({ ...mail, template: "limits-requested", facts })),
      now,
    );
  });
}

function requireRaisable(key: ApiKey, plan: RequestablePlan, now: Date): void {
  if (key.revokedAt !== null || isExpired(key, now))
    throw conflict(`API key ${key.id} does not work any more. Ask for higher limits of another key.`);
  if (isAtLeast(key.plan, plan)) throw conflict(`API key ${key.id} has the plan ${key.plan} already.`);
}

/**
 * Gives the plan to the key, closes the request, and mails the requester. Throws 404 for an unknown request, and 409
 * for a closed request.
 */
export const grantLimits = (parts: LimitRequestParts, requestId: number, operator: Operator): Promise<void> =>
  answer(parts, requestId, async (transaction, request, now) => {
    // The key keeps a higher plan that it has got in another way.
    const plan = isAtLeast(request.key_plan, request.plan) ? request.key_plan : request.plan;
    await changePlan(transaction, request.api_key_id, plan, operator, now);
    await close(transaction, request.id, { state: "granted", now });
    return { template: "limits-granted", facts: { plan } };
  });

/**
 * Closes the request, and mails the sentence to the requester. Throws 400 if the sentence is not a valid text, 404 for
 * an unknown request, and 409 for a closed request.
 */
export function refuseLimits(parts: LimitRequestParts, requestId: number, sentence: string): Promise<void> {
  const response = readText(sentence, "response");
  return answer(parts, requestId, async (transaction, request, now) => {
    await close(transaction, request.id, { state: "refused", response, now });
    return { template: "limits-refused", facts: { message: response } };
  });
}

type AnswerMail = { template: "limits-granted" | "limits-refused"; facts: { message?: string; plan?: PlanName } };

const answer = (
  { db, clock, publicUrl }: LimitRequestParts,
  requestId: number,
  decide: (transaction: Queryable, request: LimitRequest & { key_plan: PlanName }, now: Date) => Promise<AnswerMail>,
): Promise<void> =>
  transact(db, async (transaction) => {
    const now = new Date(clock.nowMs());
    const request = await selectRequests(transaction)
      .leftJoin("users as person", "person.id", "request.person_id")
      .select(["key.ends_with", "key.plan as key_plan", "request.person_id", "person.email"])
      .$narrowType<{ key_plan: PlanName }>()
      .where("request.id", "=", requestId)
      .forUpdate("request")
      .executeTakeFirst();
    if (request === undefined) throw notFound(`There is no request ${requestId} for higher limits.`);
    if (request.state !== "open") throw conflict(`Request ${requestId} is ${request.state} already.`);
    const { template, facts } = await decide(transaction, request, now);
    if (request.email === null) return;
    const key = `${request.api_key_id} (…${request.ends_with})`;
    const link = `${publicUrl}/portal/keys`;
    const mail = {
      userId: request.person_id,
      to: request.email,
      template,
      facts: { key, plan: request.plan, link, ...facts },
    };
    await queueMails(transaction, [mail], now);
  });

const close = (
  transaction: Queryable,
  id: number,
  { state, response = null, now }: { state: "granted" | "refused"; response?: string | null; now: Date },
) =>
  transaction.updateTable("limit_requests").set({ state, response, answered_at: now }).where("id", "=", id).execute();

/** Deletes requests that are older than three years. */
export async function deleteOldLimitRequests(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - storageYears);
  await db.deleteFrom("limit_requests").where("created_at", "<", before).execute();
}

/** Erases the reasons that a user wrote, as an account or as a member of an organisation. */
export async function eraseLimitRequests(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .updateTable("limit_requests")
    .set({ reason: null })
    .where((is) => is.or([is("user_id", "=", userId), is("person_id", "=", userId)]))
    .execute();
}
