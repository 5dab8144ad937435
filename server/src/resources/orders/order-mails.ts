import { sql } from "kysely";
import { isLanguage, type Language } from "../../../../contract/texts/languages.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import type { Queryable } from "../../database/connect.ts";
import type { Seller } from "../invoices/invoice.ts";
import { type ListedInvoice, listInvoices } from "../invoices/queries.ts";
import { momentText } from "../mails/facts.ts";
import { type NewMail, operatorsOf, queueMails } from "../mails/outbox.ts";
import { isFullyRefunded, type Order, type OrderWithPayment } from "./order.ts";

/** Returns the locale of the first known language, or English. */
const localeFor = (...languages: readonly (string | null | undefined)[]): Locale =>
  locales[languages.find((each): each is Language => isLanguage(each)) ?? "en"];

const factsOf = (order: Order, time: Date) => ({
  order: String(order.id),
  title: order.title,
  license: order.license_type,
  amount: { cents: order.amount_cents, currency: order.currency },
  at: { moment: time.toISOString() },
});

interface Reader {
  id: number;
  email: string;
  sale_mails: boolean;
  time_zone: string | null;
  language: string | null;
}

/** Returns the users with these ids who have an e-mail address. */
async function readersOf(transaction: Queryable, ids: readonly number[]): Promise<Map<number, Reader>> {
  const rows = await transaction
    .selectFrom("users")
    .select(["id", "email", "sale_mails", "time_zone", "language"])
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::bigint[])`)
    .where("email", "is not", null)
    .$narrowType<{ email: string }>()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns an empty text if there are no invoices. */
const invoicesText = (locale: Locale, invoices: readonly ListedInvoice[]): string =>
  invoices.length === 0
    ? ""
    : locale.t("mail.invoices", { count: invoices.length, names: locale.list(invoices.map(({ name }) => name)) });

/** Completed orders of one payment, with further facts for the mails about them. */
export interface Purchase {
  orders: readonly (Order & Pick<OrderWithPayment, "upgrades_license">)[];
  /** The e-mail address that gets the receipt. The default is the account's address. */
  to?: string | null;
  /** The time zone of the buyer. The default is the account's time zone. */
  timeZone?: string | null;
  /** The language of the buyer's page. It applies if the account has no language. */
  language?: string | null;
  /** The URL of the page with the files. */
  link: string;
  /** If present, the receipt links to the library of `to` instead of `link`. */
  opens?: "library";
  now: Date;
}

/**
 * Queues the mails about purchases. The buyer of each purchase gets a receipt. The producer of each order gets a mail
 * if the producer wants mails about sales or the license is exclusive.
 */
export async function mailPurchases(
  transaction: Queryable,
  purchases: readonly Purchase[],
  { publicUrl, seller }: { publicUrl: string; seller: Seller | null },
): Promise<void> {
  const orders = purchases.flatMap((purchase) => purchase.orders);
  const [first] = purchases;
  if (first === undefined || orders.length === 0) return;
  const readers = await readersOf(
    transaction,
    orders.flatMap(({ user_id, producer_id }) => [user_id, producer_id]),
  );
  // Without a seller, no invoices were issued.
  const ids = seller === null ? [] : orders.map(({ id }) => id);
  const invoices = Map.groupBy(await listInvoices(transaction, ids), ({ orderId }) => orderId);
  const mails = purchases.flatMap((purchase) => {
    const issued = purchase.orders
      .flatMap(({ id }) => invoices.get(id) ?? [])
      .toSorted((one, other) => one.id - other.id);
    return [...receiptOf(purchase, readers, issued), ...saleMailsOf(purchase, readers, publicUrl)];
  });
  await queueMails(transaction, mails, first.now);
}

function receiptOf(
  { orders, to, timeZone, language, link, opens, now }: Purchase,
  readers: ReadonlyMap<number, Reader>,
  invoices: readonly ListedInvoice[],
): NewMail[] {
  const [first] = orders;
  const buyer = first && readers.get(first.user_id);
  const address = to ?? buyer?.email;
  if (first === undefined || address === undefined) return [];
  const locale = localeFor(buyer?.language, language);
  const total = orders.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const items = orders.map(({ title, producer_name, license_type, amount_cents, currency, upgrades_license }) =>
    locale.t("mail.item", {
      title,
      producer: producer_name,
      license:
        locale.t(`license.named.${license_type}`) + (upgrades_license === null ? "" : locale.t("checkout.replaces")),
      amount: locale.amount(amount_cents, currency),
    }),
  );
  const facts = {
    total: locale.amount(total, first.currency),
    at: momentText(locale, now, timeZone ?? buyer?.time_zone),
    items,
    link,
    ...(opens !== undefined && { opens }),
    invoices: invoicesText(locale, invoices),
    orders: orders.map(({ id }) => id).join(", "),
  };
  return [{ userId: first.user_id, to: address, template: "receipt", language: locale.language, facts, at: now }];
}

const saleMailsOf = ({ orders, now }: Purchase, readers: ReadonlyMap<number, Reader>, publicUrl: string): NewMail[] =>
  orders.flatMap((order): NewMail[] => {
    const producer = readers.get(order.producer_id);
    const isExclusive = order.license_type === "exclusive";
    if (producer === undefined || !(isExclusive || producer.sale_mails)) return [];
    const facts = { ...factsOf(order, now), link: `${publicUrl}/portal/sales` };
    const template = isExclusive ? "exclusive-sold" : "sold";
    return [{ userId: producer.id, to: producer.email, template, facts, at: now }];
  });

/** Queues the mails about a refund: to the buyer, and for a completed order to the producer. */
export async function mailRefund(transaction: Queryable, order: Order, now: Date): Promise<void> {
  const readers = await readersOf(transaction, [order.user_id, order.producer_id]);
  const facts = {
    ...factsOf(order, now),
    refunded: { cents: order.refunded_cents, currency: order.currency },
  };
  const isEnded = order.status === "completed" && isFullyRefunded(order);
  const mails: NewMail[] = [];
  const buyer = readers.get(order.user_id);
  if (buyer !== undefined)
    mails.push({
      userId: buyer.id,
      to: buyer.email,
      template: "refund",
      facts: {
        ...facts,
        outcome: { text: refundOutcomeText(order) },
      },
    });
  const producer = readers.get(order.producer_id);
  if (producer !== undefined && order.status === "completed")
    mails.push({
      userId: producer.id,
      to: producer.email,
      template: "refunded-sale",
      facts: {
        ...facts,
        outcome: { text: isEnded ? "mail.buyerEnded" : "mail.buyerStays" },
      },
    });
  await queueMails(transaction, mails, now);
}

/** Queues the mails about a new dispute: to the buyer, and to all operators. */
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
        : [{ userId: buyer.id, to: buyer.email, template: "dispute" as const, facts: factsOf(order, now) }]),
      ...operators.map((reader) => ({
        ...reader,
        template: "dispute-opened" as const,
        facts: { ...factsOf(order, now), reason, link: `${publicUrl}/portal/admin/orders/${order.id}` },
      })),
    ],
    now,
  );
}

/** The text about the license after a refund, for its buyer. */
function refundOutcomeText(order: Order) {
  if (order.status !== "completed") return "mail.notBought";
  return isFullyRefunded(order) ? "mail.ended" : "mail.stays";
}
