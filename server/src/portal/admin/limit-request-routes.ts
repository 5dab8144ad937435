import Type from "typebox";
import { planNames } from "../../access/plans.ts";
import type { Queryable } from "../../database/connect.ts";
import {
  grantLimits,
  listOpenLimitRequests,
  refuseLimits,
  requestablePlans,
} from "../../resources/limit-requests/requests.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import { closed, orNull } from "./shapes.ts";

const tag = "Operate";
const maxListed = 50;
const RequestId = Type.Object({ request_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

const OpenLimitRequests = Type.Object(
  {
    requests: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          user_id: Type.Integer(),
          account: Type.String(),
          key_id: Type.Integer(),
          key_name: Type.String(),
          ends_with: Type.String({ description: "The last characters of the key." }),
          present_plan: Type.Enum([...planNames]),
          plan: Type.Enum([...requestablePlans]),
          reason: orNull(Type.String(), "The reason for the request. Null once the account is erased."),
          created_at: Type.String({ format: "date-time" }),
        },
        { $id: "OpenLimitRequest", ...closed },
      ),
      { description: `At most ${maxListed} requests, the oldest first.` },
    ),
  },
  closed,
);

async function openRequests(db: Queryable, nowMs: number) {
  const requests = await listOpenLimitRequests(db, new Date(nowMs), maxListed);
  return {
    requests: requests.map(({ id, user_id, account, api_key_id, key, plan, reason, created_at }) => ({
      id,
      user_id,
      account,
      key_id: api_key_id,
      key_name: key.name,
      ends_with: key.ends_with,
      present_plan: key.plan,
      plan,
      reason,
      created_at: created_at.toISOString(),
    })),
  };
}

/** The requests of all accounts for higher plans of keys, and the operators' decisions. */
export const adminLimitRequestRoutes = (publicUrl: string): PortalRoute[] => [
  operatorRoute({
    operationId: "listOpenLimitRequests",
    method: "GET",
    path: "/admin/limit-requests",
    tag,
    summary: "List the open requests for higher limits",
    response: OpenLimitRequests,
    handle: ({ db, clock }) => openRequests(db, clock.nowMs()),
  }),
  operatorRoute({
    operationId: "grantLimits",
    movesMoney: true,
    method: "POST",
    path: "/admin/limit-requests/:request_id/grant",
    tag,
    summary: "Grant a request for higher limits: change the key's plan, and mail the person who asked",
    params: RequestId,
    response: OpenLimitRequests,
    refusals: [409],
    handle: async ({ db, clock, params, author }) => {
      await grantLimits({ db, clock, publicUrl }, params.request_id, author);
      return openRequests(db, clock.nowMs());
    },
  }),
  operatorRoute({
    operationId: "refuseLimits",
    method: "POST",
    path: "/admin/limit-requests/:request_id/refuse",
    tag,
    summary: "Refuse a request for higher limits; the person who asked gets the reason by mail",
    params: RequestId,
    body: Type.Object({ response: Type.String({ minLength: 1, maxLength: 2_000 }) }),
    response: OpenLimitRequests,
    refusals: [409],
    handle: async ({ db, clock, params, body }) => {
      await refuseLimits({ db, clock, publicUrl }, params.request_id, body.response);
      return openRequests(db, clock.nowMs());
    },
  }),
];
