import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { Operator } from "../audit/queries.ts";
import { type NewMail, operatorsOf, queueMails } from "../mails/outbox.ts";
import type { SettlementDependencies } from "../orders/checkout.ts";
import { isFullyRefunded } from "../orders/order.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import type { ContactParts } from "./messages.ts";
import { buyerOf, contactOrders, findContactOrder, type Party, producersOf, requireBought } from "./parties.ts";

/** The reasons for a refund, as in forms and mails. */
export const refundReasons = {
  mistake: "I bought it by mistake",
  duplicate: "I bought it twice",
  not_as_described: "It is not what the page said",
  files: "The files are damaged or missing",
  other: "Another reason",
} as const;
export type RefundReason = keyof typeof refundReasons;
const isRefundReason = (name: string): name is RefundReason => Object.hasOwn(refundReasons, name);

export const requestStates = ["open", "granted", "refused"] as const;

export interface RefundRequest {
  id: number;
  order_id: number;
  title: string;
  reason: RefundReason;
  /** Null after the erasure of the buyer. */
  details: string | null;
  /** An open request counts as `granted` if its order was refunded in full by other means. */
  state: (typeof requestStates)[number];
  created_at: Date;
  /** The operator's sentence to the buyer; null unless refused. */
  response: string | null;
}

const maxRequests = 3;

const isRefundedInFull = sql<boolean>`(orders.refunded_at is not null and orders.refunded_cents = orders.amount_cents)`;

const selectRequests = (db: Queryable) =>
  db
    .selectFrom("refund_requests")
    .innerJoin("orders", "orders.id", "refund_requests.order_id")
    .select([
      "refund_requests.id",
      "refund_requests.order_id",
      "orders.title",
      "refund_requests.reason",
      "refund_requests.details",
      "refund_requests.created_at",
      "refund_requests.response",
      sql<RefundRequest["state"]>`case when refund_requests.state = 'open' and ${isRefundedInFull}
        then 'granted' else refund_requests.state end`.as("state"),
    ])
    .$narrowType<Pick<RefundRequest, "reason">>()
    .orderBy("refund_requests.id", "desc");

/** The requests of an order, newest first. */
export const listRefundRequests = (db: Queryable, orderId: number): Promise<RefundRequest[]> =>
  selectRequests(db).where("refund_requests.order_id", "=", orderId).limit(maxRequests).execute();

/** Open requests of all orders, or of a producer's sales, newest first. */
export function listOpenRequests(db: Queryable, { producerId, limit }: { producerId?: number; limit: number }) {
  const query = selectRequests(db)
    .where("refund_requests.state", "=", "open")
    .where(sql<boolean>`not ${isRefundedInFull}`)
    .limit(limit);
  return (producerId === undefined ? query : query.where("orders.producer_id", "=", producerId)).execute();
}

/**
 * Stores a buyer's refund request, and mails it to the producer and all operators. Throws 400 for an unknown reason or
 * an invalid text, 404 for another buyer's order, 409 for an order that cannot be refunded, has an open request or has
 * `maxRequests`, and 429 for too many messages.
 */
export async function createRefundRequest(
  { db, clock, publicUrl, limits }: ContactParts,
  { orderId, reason, details: typedDetails, party }: { orderId: number; reason: string; details: string; party: Party },
): Promise<void> {
  if (!isRefundReason(reason))
    throw invalidRequest(`The reason is one of ${Object.keys(refundReasons).join(", ")}.`, "reason");
  const details = readText(typedDetails, "details");
  await findContactOrder(db, orderId, party);
  limits.take(orderId, "buyer");
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    const order = await contactOrders(transaction)
      .where("orders.id", "=", orderId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    requireBought(order, "you can ask for a refund");
    if (isFullyRefunded(order)) throw conflict(`Order ${orderId} is refunded in full already.`);
    if (order.amount_cents === 0) throw conflict(`Order ${orderId} was free, so there is no money to pay back.`);
    const earlier = await listRefundRequests(transaction, orderId);
    if (earlier.some(({ state }) => state === "open"))
      throw conflict(`A refund of order ${orderId} was asked for already. You get a mail with the decision.`);
    if (earlier.length >= maxRequests)
      throw conflict(`A refund of order ${orderId} was refused ${maxRequests} times. Write to the producer instead.`);
    await transaction
      .insertInto("refund_requests")
      .values({ order_id: orderId, reason, details, created_at: now })
      .execute();
    const facts = {
      order: String(orderId),
      title: order.title,
      amount: { cents: order.amount_cents, currency: order.currency },
      reason: { text: `refund.${reason}` as const },
      message: details,
    };
    const operators = await operatorsOf(transaction);
    const operatorIds = new Set(operators.map(({ userId }) => userId));
    const producers = (await producersOf(transaction, order)).filter(({ userId }) => !operatorIds.has(userId));
    const to =
      (template: "refund-requested" | "refund-to-decide", path: string) =>
      ({ userId, to: address }: Pick<NewMail, "userId" | "to">): NewMail => ({
        userId,
        to: address,
        template,
        facts: { ...facts, link: `${publicUrl}/portal/${path}/${orderId}` },
      });
    await queueMails(
      transaction,
      [
        ...operators.map(to("refund-to-decide", "admin/orders")),
        ...producers.map(to("refund-requested", "sales/orders")),
      ],
      now,
    );
  });
}

/**
 * Refunds the rest of the order, which mails the buyer, and closes the request. Throws 409 without an open request, and
 * like `requestRefund`.
 */
export async function grantRefund(checkout: SettlementDependencies, orderId: number, author: Operator): Promise<void> {
  const [request] = await listRefundRequests(checkout.db, orderId);
  if (request?.state !== "open") throw nothingOpen(orderId);
  // The refund comes first. If the process is killed after the refund, the open request counts as granted.
  await requestRefund(checkout, orderId, {
    amountCents: null,
    origin: "operator",
    author,
    reason: `The buyer asked for it: ${refundReasons[request.reason]}`,
  });
  await checkout.db
    .updateTable("refund_requests")
    .set({ state: "granted", answered_at: new Date(checkout.clock.nowMs()) })
    .where("id", "=", request.id)
    .where("state", "=", "open")
    .execute();
}

/**
 * Refuses the request and mails the operator's sentence to the buyer. Throws 400 for an invalid text, and 409 without
 * an open request.
 */
export async function refuseRefund(
  { db, clock, publicUrl }: Omit<ContactParts, "limits">,
  orderId: number,
  typedResponse: string,
): Promise<void> {
  const response = readText(typedResponse, "response");
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    const order = await contactOrders(transaction).where("orders.id", "=", orderId).forUpdate().executeTakeFirst();
    if (order === undefined) throw nothingOpen(orderId);
    const [request] = await listRefundRequests(transaction, orderId);
    if (request?.state !== "open") throw nothingOpen(orderId);
    await transaction
      .updateTable("refund_requests")
      .set({ state: "refused", response, answered_at: now })
      .where("id", "=", request.id)
      .execute();
    const facts = { order: String(orderId), title: order.title, message: response };
    await queueMails(
      transaction,
      (await buyerOf(transaction, order)).map((reader) => ({
        ...reader,
        template: "refund-refused",
        facts: { ...facts, link: `${publicUrl}/library`, opens: "library" },
      })),
      now,
    );
  });
}

const nothingOpen = (orderId: number) =>
  conflict(`No refund of order ${orderId} waits for a decision. Reload the page to see what became of it.`);
