import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { listCalls } from "@beatmarket/request-log/calls.ts";
import Type from "typebox";
import type { Account } from "../../access/account.ts";
import { type MemberPermission, refusalsOf } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import { findEvent } from "../../resources/events/queries.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };

const LookupResult = Type.Object(
  {
    kind: Type.Enum(["order", "sale", "delivery", "event", "request"]),
    title: Type.String(),
    detail: Type.String(),
    path: Type.String({ description: "The path of the result's page on this server." }),
  },
  closed,
);
type LookupResult = Type.Static<typeof LookupResult>;

const requestId = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const shownDeliveries = 5;

/** Finds the account's resources by an id that people copy from a log, a mail or a response. */
export const lookupRoutes = (log: CallLog): PortalRoute[] => [
  portalRoute({
    operationId: "lookUpId",
    permission: "account:read",
    method: "GET",
    path: "/lookup",
    tag: "Home",
    summary: "Find the account's orders, sales, deliveries, events and requests by an id",
    query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: Type.Object({ found: Type.Array(LookupResult) }, { $id: "Lookup", ...closed }),
    handle: async ({ db, account, query }) => {
      const id = query.id.trim();
      const refusals = account.organisation === null ? {} : refusalsOf(account.organisation);
      const readers: [MemberPermission, Reader][] = [
        ["orders:read", findOrders],
        ["sales:read", findSales],
        ["webhooks:read", findDeliveries],
        ["webhooks:read", findEvents],
        ["calls:read", (_db, { userId }, callId) => findRequests(log, userId, callId)],
      ];
      const results = await Promise.all(
        readers.filter(([permission]) => refusals[permission] === undefined).map(([, read]) => read(db, account, id)),
      );
      return { found: results.flat() };
    },
  }),
];

type Reader = (db: Queryable, account: Pick<Account, "userId">, id: string) => Promise<LookupResult[]>;

const numberOf = (id: string): number => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0);

const findOrders: Reader = async (db, { userId }, id) => {
  if (numberOf(id) === 0) return [];
  const rows = await selectOrders(db, numberOf(id)).where("user_id", "=", userId).execute();
  return rows.map((order) => ({ kind: "order", ...orderEntry(order), path: `/portal/library?order=${order.id}` }));
};

const findSales: Reader = async (db, { userId }, id) => {
  if (numberOf(id) === 0) return [];
  const rows = await selectOrders(db, numberOf(id))
    .where("producer_id", "=", userId)
    .where("status", "=", "completed")
    .execute();
  return rows.map((order) => ({ kind: "sale", ...orderEntry(order), path: `/portal/sales/orders/${order.id}` }));
};

const selectOrders = (db: Queryable, id: number) =>
  db.selectFrom("orders").select(["id", "title", "license_type", "status"]).where("id", "=", id);

const orderEntry = (order: { id: number; title: string; license_type: string; status: string }) => ({
  title: `Order ${order.id}`,
  detail: `${order.title} · ${order.license_type} · ${order.status}`,
});

/** Finds a delivery by its id, or the deliveries of an event by the id of the event. */
const findDeliveries: Reader = async (db, { userId }, id) => {
  const rows = await db
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "delivery.endpoint_id")
    .select(["delivery.id", "delivery.event_id", "delivery.type", "delivery.state"])
    .where("endpoint.user_id", "=", userId)
    .where((is) => (numberOf(id) === 0 ? is("delivery.event_id", "=", id) : is("delivery.id", "=", numberOf(id))))
    .orderBy("delivery.id")
    .limit(shownDeliveries)
    .execute();
  return rows.map((delivery) => ({
    kind: "delivery",
    title: `Delivery ${delivery.id}`,
    detail: `${delivery.type} · ${delivery.state} · ${delivery.event_id}`,
    path: `/portal/webhooks/deliveries/${delivery.id}`,
  }));
};

/** Finds an event. The result links to the explorer, because events have no page. */
const findEvents: Reader = async (db, { userId }, id) => {
  const payload = await findEvent(db, userId, id);
  if (payload === null) return [];
  const { type } = JSON.parse(payload) as { type: string };
  return [
    { kind: "event", title: `Event ${id}`, detail: type, path: `/portal/explorer?operation=getEvent&event_id=${id}` },
  ];
};

async function findRequests(log: CallLog, userId: number, id: string): Promise<LookupResult[]> {
  if (!requestId.test(id)) return [];
  const { calls } = await listCalls(log, userId, { text: id }, { limit: 1 });
  return calls.map(({ method, path, status }) => ({
    kind: "request",
    title: `Request ${id}`,
    detail: `${method} ${path} · ${status}`,
    path: `/portal/log?request=${id}`,
  }));
}
