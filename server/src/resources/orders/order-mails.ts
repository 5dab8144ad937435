import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type ListedInvoice, listInvoices } from "../invoices/queries.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";
import { isFullyRefunded, type Order } from "./order.ts";

/** A time for readers, with the name of the zone: "26 November 2026 at 13:00 CET". In UTC where the zone is not known. */
function timeText(at: Date, zone: string | null | undefined): string {
  const timeZone = zone ?? "UTC";
  const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone });
  const time = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone, timeZoneName: "short" });
  return `${day} at ${time}`;
}

const factsOf = (order: Order, at: Date, reader: Pick<Reader, "time_zone"> | undefined) => ({
  order: String(order.id),
  title: order.title,
  license: order.license_type,
  amount: formatAmount(order.amount_cents, order.currency),
  at: timeText(at, reader?.time_zone),
});

interface Reader {
  id: number;
  email: string;
  sale_mails: boolean;
  time_zone: string | null;
}

/** The accounts of these users that have an address. */
async function readersOf(transaction: Queryable, ids: readonly number[]): Promise<Map<number, Reader>> {
  const rows = await transaction
    .selectFrom("users")
    .select(["id", "email", "sale_mails", "time_zone"])
    .where("id", "in", ids)
    .where("email", "is not", null)
    .$narrowType<{ email: string }>()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Empty without invoices. */
const invoicesText = (invoices: readonly ListedInvoice[]): string =>
  invoices.length === 0
    ? ""
    : `Your ${invoices.length === 1 ? "invoice is" : "invoices are"} there, too: ${new Intl.ListFormat("en-GB").format(invoices.map(({ name }) => name))}.`;

interface PurchaseMail {
  /** The recipient of the receipt; by default the account's address. */
  to?: string | null;
  /** The time zone of the buyer; by default the account's. */
  timeZone?: string | null;
  /** The address of the files. */
  link: string;
  /** Links to the library of `to` instead of `link`. */
  opens?: "library";
  publicUrl: string;
  now: Date;
}

/** Mails about completed orders of one payment: a receipt to the buyer, and to each producer a list of the sales. */
export async function mailPurchase(
  transaction: Queryable,
  orders: readonly Order[],
  { to, timeZone, link, opens, publicUrl, now }: PurchaseMail,
): Promise<void> {
  const [first] = orders;
  if (first === undefined) return;
  const readers = await readersOf(transaction, [first.user_id, ...orders.map(({ producer_id }) => producer_id)]);
  const buyer = readers.get(first.user_id);
  const address = to ?? buyer?.email;
  const invoices = await listInvoices(
    transaction,
    orders.map(({ id }) => id),
  );
  const total = orders.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const receipt: NewMail[] =
    address === undefined
      ? []
      : [
          {
            userId: first.user_id,
            to: address,
            template: "receipt",
            facts: {
              total: formatAmount(total, first.currency),
              at: timeText(now, timeZone ?? buyer?.time_zone),
              items: orders.map(
                ({ title, producer_name, license_type, amount_cents, currency }) =>
                  `${title}, by ${producer_name}: ${license_type} license, ${formatAmount(amount_cents, currency)}`,
              ),
              link,
              ...(opens !== undefined && { opens }),
              invoices: invoicesText(invoices),
              orders: orders.map(({ id }) => id).join(", "),
            },
          },
        ];
  const sales = orders.flatMap((order): NewMail[] => {
    const producer = readers.get(order.producer_id);
    const isExclusive = order.license_type === "exclusive";
    if (producer === undefined || !(isExclusive || producer.sale_mails)) return [];
    const facts = { ...factsOf(order, now, producer), link: `${publicUrl}/portal/sales` };
    return [{ userId: producer.id, to: producer.email, template: isExclusive ? "exclusive-sold" : "sold", facts }];
  });
  await queueMails(transaction, [...receipt, ...sales], now);
}

/** Mails about a refund: to the buyer, and to the producer of a completed order. */
export async function mailRefund(transaction: Queryable, order: Order, now: Date): Promise<void> {
  const readers = await readersOf(transaction, [order.user_id, order.producer_id]);
  const refunded = formatAmount(order.refunded_cents, order.currency);
  const isEnded = order.status === "completed" && isFullyRefunded(order);
  const mails: NewMail[] = [];
  const buyer = readers.get(order.user_id);
  if (buyer !== undefined)
    mails.push({
      userId: buyer.id,
      to: buyer.email,
      template: "refund",
      facts: {
        ...{ ...factsOf(order, now, buyer), refunded },
        outcome: isEnded
          ? "The license has ended. Its files can no longer be downloaded."
          : order.status === "completed"
            ? "The license stays yours."
            : "The license was not bought.",
      },
    });
  const producer = readers.get(order.producer_id);
  if (producer !== undefined && order.status === "completed")
    mails.push({
      userId: producer.id,
      to: producer.email,
      template: "refunded-sale",
      facts: {
        ...{ ...factsOf(order, now, producer), refunded },
        outcome: isEnded ? "The license of the buyer has ended." : "The license of the buyer stays valid.",
      },
    });
  await queueMails(transaction, mails, now);
}

/** All operators with an address. */
export async function operatorsOf(
  db: Queryable,
): Promise<(Pick<NewMail, "userId" | "to"> & Pick<Reader, "time_zone">)[]> {
  const { rows } = await sql<Pick<Reader, "id" | "email" | "time_zone">>`
    select id, email, time_zone from users where operator and email is not null order by id`.execute(db);
  return rows.map(({ id, email, time_zone }) => ({ userId: id, to: email, time_zone }));
}

/** Mails about a dispute that was opened: to the buyer, and to all operators. */
export async function mailDispute(
  transaction: Queryable,
  order: Order,
  { reason, publicUrl, now }: { reason: string; publicUrl: string; now: Date },
): Promise<void> {
  const buyer = (await readersOf(transaction, [order.user_id])).get(order.user_id);
  const operators = await operatorsOf(transaction);
  await queueMails(
    transaction,
    [
      ...(buyer === undefined
        ? []
        : [{ userId: buyer.id, to: buyer.email, template: "dispute" as const, facts: factsOf(order, now, buyer) }]),
      ...operators.map(({ userId, to, time_zone }) => ({
        ...{ userId, to },
        template: "dispute-opened" as const,
        facts: { ...factsOf(order, now, { time_zone }), reason, link: `${publicUrl}/portal/admin/orders/${order.id}` },
      })),
    ],
    now,
  );
}
