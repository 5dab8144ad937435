import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { findBilling, readBilling, saveBilling } from "../../resources/invoices/billing.ts";
import { type PortalRoute, portalRoute, principalOf } from "../route.ts";

const tag = "Library";
const field = (maxLength: number, description: string) => Type.String({ maxLength, description });

const BillingDetails = Type.Object(
  {
    name: field(100, "Empty: invoices name the account as its licenses do."),
    address: Type.String({
      ...{ maxLength: 320, "x-multiline": true },
      description: "At most three lines, divided by line breaks.",
    }),
    country: field(2, "Two letters (ISO 3166-1); empty where it is not said."),
    vat_id: field(20, "Begins with its country; empty without one."),
  },
  { $id: "BillingDetails", additionalProperties: false },
);

const invoicesOf = async (db: Queryable, userId: number) => {
  const billing = await findBilling(db, userId);
  return {
    name: billing?.name ?? "",
    address: billing?.address.join("\n") ?? "",
    country: billing?.country ?? "",
    vat_id: billing?.vatId ?? "",
  };
};

/** The account's details on future invoices. */
export const billingRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getBilling",
    permission: "orders:read",
    method: "GET",
    path: "/library/billing",
    tag,
    summary: "How invoices of the account's purchases name it",
    response: BillingDetails,
    handle: ({ db, account }) => invoicesOf(db, account.userId),
  }),
  portalRoute({
    operationId: "saveBilling",
    permission: "orders:write",
    method: "PUT",
    path: "/library/billing",
    tag,
    summary: "Set how invoices of later purchases name the account; with empty fields, as its licenses do",
    body: BillingDetails,
    response: BillingDetails,
    handle: async ({ db, account, author, body: { vat_id: vatId, ...typed }, clock }) => {
      const now = new Date(clock.nowMs());
      const { ownerId } = principalOf({ account, author });
      await saveBilling(db, ownerId, readBilling({ ...typed, vatId }), { author, now });
      return invoicesOf(db, ownerId);
    },
  }),
];
