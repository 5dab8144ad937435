import { timestamp } from "@beatmarket/http/formats.ts";
import { maxTextLength } from "@beatmarket/http/input/read-text.ts";
import Type, { type Static } from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { type ContactParts, listMessages, listThreads, writeMessage } from "../../resources/contacts/messages.ts";
import { findContactOrder, type Party } from "../../resources/contacts/parties.ts";
import {
  createRefundRequest,
  grantRefund,
  listOpenRequests,
  listRefundRequests,
  type RefundRequest,
  refundReasons,
  refuseRefund,
  requestStates,
} from "../../resources/contacts/refund-requests.ts";
import type { SettlementDependencies } from "../../resources/orders/checkout.ts";
import { OrderId } from "../../resources/orders/schema.ts";
import { operatorRoute, type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const orNull = Type.Union([Type.String(), Type.Null()]);
const time = Type.String({ format: "date-time" });
const reasonNames = Object.keys(refundReasons) as (keyof typeof refundReasons)[];
const text = Type.String({ minLength: 1, maxLength: maxTextLength, "x-multiline": true });

const RefundRequestSchema = Type.Object(
  {
    id: Type.Integer(),
    order_id: Type.Integer(),
    title: Type.String({ description: "The title of the beat." }),
    reason: Type.Enum(reasonNames),
    details: Type.Union([Type.String(), Type.Null()], {
      description: "What the buyer wrote. Null once the buyer's account is deleted.",
    }),
    state: Type.Enum([...requestStates]),
    created_at: time,
    response: Type.Union([Type.String(), Type.Null()], {
      description: "The operator's answer to the buyer. Null unless the request was refused.",
    }),
  },
  { $id: "RefundRequest", ...closed },
);

const Contact = Type.Object(
  {
    order_id: Type.Integer(),
    title: Type.String({ description: "The title of the beat." }),
    producer_id: Type.Integer(),
    producer_name: Type.String(),
    messages: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          author: Type.Enum(["buyer", "producer"]),
          text: orNull,
          created_at: time,
        },
        { $id: "OrderMessage", ...closed },
      ),
      { description: "The oldest message comes first. The text is null once the author's account is deleted." },
    ),
    refund_requests: Type.Array(RefundRequestSchema, { description: "The newest request comes first." }),
  },
  { $id: "OrderContact", ...closed },
);

const Requests = Type.Object(
  { requests: Type.Array(RefundRequestSchema, { description: "The newest request comes first." }) },
  closed,
);
const MessageBody = Type.Object({ text });

const requestJson = ({ created_at, ...request }: RefundRequest): Static<typeof RefundRequestSchema> => ({
  ...request,
  created_at: timestamp(created_at),
});

/** The messages between the buyer and the producer of an order, and the buyer's requests for a refund. */
async function contactOf(db: Queryable, orderId: number, party: Party): Promise<Static<typeof Contact>> {
  const order = await findContactOrder(db, orderId, party);
  const messages = await listMessages(db, orderId);
  const requests = await listRefundRequests(db, orderId);
  return {
    order_id: order.id,
    title: order.title,
    producer_id: order.producer_id,
    producer_name: order.producer_name,
    messages: messages.map(({ created_at, ...message }) => ({ ...message, created_at: timestamp(created_at) })),
    refund_requests: requests.map(requestJson),
  };
}

const listLimit = 100;

export interface ContactRouteParts {
  contacts: ContactParts;
  checkout: SettlementDependencies;
}

/** The messages of buyers and producers about an order, and the requests for a refund, which operators decide. */
export const contactRoutes = ({ contacts, checkout }: ContactRouteParts): PortalRoute[] => [
  portalRoute({
    operationId: "getLibraryContact",
    permission: "orders:read",
    method: "GET",
    path: "/library/orders/:order_id/contact",
    tag: "Library",
    summary: "Get the messages of the account and the producer about an order, and the requests for a refund",
    params: OrderId,
    response: Contact,
    handle: ({ db, account, params }) => contactOf(db, params.order_id, { buyerId: account.userId }),
  }),
  portalRoute({
    operationId: "writeToProducer",
    permission: "orders:write",
    method: "POST",
    path: "/library/orders/:order_id/messages",
    tag: "Library",
    summary: "Write to the producer of an order; the mail does not contain the account's e-mail address",
    params: OrderId,
    body: MessageBody,
    status: 201,
    response: Contact,
    refusals: [409],
    handle: async ({ db, account, params: { order_id: orderId }, body }) => {
      const party = { buyerId: account.userId };
      await writeMessage(contacts, { orderId, author: "buyer", text: body.text, party });
      return contactOf(db, orderId, party);
    },
  }),
  portalRoute({
    operationId: "askForRefund",
    permission: "orders:write",
    method: "POST",
    path: "/library/orders/:order_id/refund-requests",
    tag: "Library",
    summary: "Request the refund of an order; an operator decides",
    params: OrderId,
    body: Type.Object({ reason: Type.Enum(reasonNames), details: text }),
    status: 201,
    response: Contact,
    refusals: [409],
    handle: async ({ db, account, params: { order_id: orderId }, body }) => {
      const party = { buyerId: account.userId };
      await createRefundRequest(contacts, { orderId, ...body, party });
      return contactOf(db, orderId, party);
    },
  }),
  portalRoute({
    operationId: "listSalesContacts",
    permission: "sales:read",
    method: "GET",
    path: "/sales/contacts",
    tag: "Sales",
    summary: "List sales with messages of the buyer or an open request for a refund, newest first",
    response: Type.Object(
      {
        threads: Type.Array(
          Type.Object(
            {
              order_id: Type.Integer(),
              title: Type.String(),
              messages: Type.Integer({ description: "The number of messages." }),
              last_at: time,
              awaits_producer: Type.Boolean({ description: "Whether the last message is from the buyer." }),
            },
            closed,
          ),
        ),
        requests: Type.Array(RefundRequestSchema),
      },
      closed,
    ),
    handle: async ({ db, account }) => ({
      threads: (await listThreads(db, account.userId, listLimit)).map(({ last_at, ...thread }) => ({
        ...thread,
        last_at: timestamp(last_at),
      })),
      requests: (await listOpenRequests(db, { producerId: account.userId, limit: listLimit })).map(requestJson),
    }),
  }),
  portalRoute({
    operationId: "getSaleContact",
    permission: "sales:read",
    method: "GET",
    path: "/sales/orders/:order_id/contact",
    tag: "Sales",
    summary: "Get the messages of the buyer and the account about a sale, and the requests for a refund",
    params: OrderId,
    response: Contact,
    handle: ({ db, account, params }) => contactOf(db, params.order_id, { producerId: account.userId }),
  }),
  portalRoute({
    operationId: "writeToBuyer",
    permission: "studio:write",
    method: "POST",
    path: "/sales/orders/:order_id/messages",
    tag: "Sales",
    summary: "Write to the buyer of a sale; the mail does not contain the account's e-mail address",
    params: OrderId,
    body: MessageBody,
    status: 201,
    response: Contact,
    refusals: [409],
    handle: async ({ db, account, params: { order_id: orderId }, body }) => {
      const party = { producerId: account.userId };
      await writeMessage(contacts, { orderId, author: "producer", text: body.text, party });
      return contactOf(db, orderId, party);
    },
  }),
  operatorRoute({
    operationId: "listRefundRequests",
    method: "GET",
    path: "/admin/refund-requests",
    tag: "Operate",
    summary: "List the open requests for a refund, newest first; with `order`, all requests of that order",
    query: Type.Object({ order: Type.Optional(Type.Integer({ description: "Only requests of this order." })) }),
    response: Requests,
    handle: async ({ db, query: { order } }) => ({
      requests: (order === undefined
        ? await listOpenRequests(db, { limit: listLimit })
        : await listRefundRequests(db, order)
      ).map(requestJson),
    }),
  }),
  operatorRoute({
    operationId: "grantRefundRequest",
    movesMoney: true,
    method: "POST",
    path: "/admin/orders/:order_id/refund-request/grant",
    tag: "Operate",
    summary: "Grant a request for a refund: refund all that is left of the order",
    params: OrderId,
    response: Requests,
    refusals: [409],
    changesContent: () => true,
    handle: async ({ db, params: { order_id: orderId }, author }) => {
      await grantRefund(checkout, orderId, author);
      return { requests: (await listRefundRequests(db, orderId)).map(requestJson) };
    },
  }),
  operatorRoute({
    operationId: "refuseRefundRequest",
    method: "POST",
    path: "/admin/orders/:order_id/refund-request/refuse",
    tag: "Operate",
    summary: "Refuse a request for a refund; the buyer gets the reason by mail",
    params: OrderId,
    body: Type.Object({ response: text }),
    response: Requests,
    refusals: [409],
    handle: async ({ db, params: { order_id: orderId }, body }) => {
      await refuseRefund(contacts, orderId, body.response);
      return { requests: (await listRefundRequests(db, orderId)).map(requestJson) };
    },
  }),
];
