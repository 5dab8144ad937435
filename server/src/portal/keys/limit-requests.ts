import Type from "typebox";
import {
  type LimitRequest,
  limitRequestStates,
  listLimitRequests,
  requestablePlans,
  requestLimits,
} from "../../resources/limit-requests/requests.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { KeyId } from "./schema.ts";

const tag = "API keys";
const closed = { additionalProperties: false };

const LimitRequests = Type.Object(
  {
    requests: Type.Array(
      Type.Object(
        {
          key_id: Type.Integer(),
          plan: Type.Enum([...requestablePlans]),
          state: Type.Enum([...limitRequestStates]),
          created_at: Type.String({ format: "date-time" }),
          response: Type.Union([Type.String(), Type.Null()], {
            description: "The operator's reason. Null unless the request was refused.",
          }),
        },
        { $id: "LimitRequest", ...closed },
      ),
      { description: "The newest request of each active key within the last 90 days." },
    ),
  },
  closed,
);

const requestJson = ({ api_key_id, plan, state, created_at, response }: LimitRequest) => ({
  key_id: api_key_id,
  plan,
  state,
  response,
  created_at: created_at.toISOString(),
});

/** The account's requests for higher plans of its keys. */
export const limitRequestRoutes = (publicUrl: string): PortalRoute[] => [
  portalRoute({
    operationId: "listLimitRequests",
    permission: "keys:read",
    method: "GET",
    path: "/keys/limit-requests",
    tag,
    summary: "List the account's requests for higher limits, with the decisions",
    response: LimitRequests,
    handle: async ({ db, clock, account }) => ({
      requests: (await listLimitRequests(db, account.userId, new Date(clock.nowMs()))).map(requestJson),
    }),
  }),
  portalRoute({
    operationId: "requestLimits",
    permission: "keys:write",
    method: "POST",
    path: "/keys/:key_id/limit-requests",
    tag,
    summary: "Request a higher plan for a key; an operator decides",
    params: KeyId,
    body: Type.Object({
      plan: Type.Enum([...requestablePlans]),
      reason: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: "What the calls are for, and how many there will be.",
      }),
    }),
    status: 201,
    response: LimitRequests,
    refusals: [409],
    handle: async ({ db, clock, account, params, body }) => {
      const { userId, personId } = account;
      await requestLimits({ db, clock, publicUrl }, { keyId: params.key_id, userId, personId, ...body });
      return { requests: (await listLimitRequests(db, userId, new Date(clock.nowMs()))).map(requestJson) };
    },
  }),
];
