import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Caller } from "../../../access/caller.ts";
import type { Queryable } from "../../../database/connect.ts";
import { type ListedInvoice, listInvoices } from "../../invoices/queries.ts";
import { type DownloadLinks, linkMs } from "../fulfilment/fulfilment.ts";

export interface InvoiceParts {
  db: Queryable;
  clock: Clock;
  links: DownloadLinks;
}

/** An invoice with a new link to its PDF. */
export interface LinkedInvoice extends ListedInvoice {
  url: string;
  expiresAt: Date;
}

/** Returns the invoices of an order that the caller bought or sold. Throws 404 for every other order. */
export async function listLinkedInvoices(
  { db, clock, links }: InvoiceParts,
  caller: Pick<Caller, "userId" | "permissions">,
  orderId: number,
): Promise<LinkedInvoice[]> {
  const folder = await linkKindFor(db, caller, orderId);
  const expiresAt = new Date(clock.nowMs() + linkMs);
  return (await listInvoices(db, [orderId])).map((invoice) => ({
    ...invoice,
    url: links.sign({ orderId, kind: `${folder}/${invoice.id}`, expiresAt }),
    expiresAt,
  }));
}

/** Returns `invoices` for the buyer and `copies` for the producer. Throws 404 for every other caller. */
async function linkKindFor(
  db: Queryable,
  { userId, permissions }: Pick<Caller, "userId" | "permissions">,
  orderId: number,
): Promise<"invoices" | "copies"> {
  const order = await db
    .selectFrom("orders")
    .select(["user_id", "producer_id", "status"])
    .where("id", "=", orderId)
    .executeTakeFirst();
  if (order?.user_id === userId) return "invoices";
  if (order?.producer_id === userId && order.status === "completed" && permissions.has("sales:read")) return "copies";
  throw notFound(`You have no order ${orderId}.`);
}
