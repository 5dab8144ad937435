import { isLanguage, type Language } from "../../../../contract/texts/languages.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ListedInvoice, listInvoices } from "../invoices/queries.ts";
import { momentText } from "../mails/facts.ts";
import { type NewMail, operatorsOf, queueMails } from "../mails/outbox.ts";
import { isFullyRefunded, type Order, type OrderWithPayment } from "./order.ts";

/** Returns the locale of the first known language, or English. */
const localeFor = (...languages: readonly (string | null | undefined)[]): Locale =>
  locales[languages.find((each): each is Language => isLanguage(each)) ?? "en"];

const factsOf = (order: Order, at: Date) => ({
  order: String(order.id),
  title: order.title,
  license: order.license_type,
  amount: { cents: order.amount_cents, currency: order.currency },
  at: { moment: at.toISOString() },
});

interface Reader {
  id: number;
  email: string;
  sale_mails: boolean;
  time_zone: string | null;
  language: string | null;
}

/** Returns those of the users who have an address. */
async function readersOf(transaction: Queryable, ids: readonly number[]): Promise<Map<number, Reader>> {
  const rows = await transaction
    .selectFrom("users")
    .select(["id", "email", "sale_mails", "time_zone", "language"])
    .where("id", "in", ids)
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

interface PurchaseMail {
  /** The recipient of the receipt. The default is the account's address. */
  to?: string | null;
  /** The time zone of the buyer. The default is the account's time zone. */
  timeZone?: string | null;
  /** The language of the buyer's page. It applies if the account has no language. */
  language?: string | null;
  /** The address of the files. */
  link: string;
  /** If present, the receipt links to the library of `to` instead of `link`. */
  opens?: "library";
  publicUrl: string;
  now: Date;
}

/**
 * Queues the mails about completed orders of one payment: a receipt to the buyer, and one mail per sale to the
 * producers.
 */
export async function mailPurchase(
  transaction: Queryable,
  orders: readonly (Order & Pick<OrderWithPayment, "upgrades_license">)[],
  { to, timeZone, language, link, opens, publicUrl, now }: PurchaseMail,
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
  const locale = localeFor(buyer?.language, language);
  const total = orders.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const receipt: NewMail[] =
    address === undefined
      ? []
      : [
          {
            userId: first.user_id,
            to: address,
            template: "receipt",
            language: locale.language,
            facts: {
              total: locale.amount(total, first.currency),
              at: momentText(locale, now, timeZone ?? buyer?.time_zone),
              items: orders.map(
                ({ title, producer_name: producer, license_type, amount_cents, currency, upgrades_license }) =>
                  locale.t("mail.item", {
                    ...{
                      title,
                      producer,
                      license:
                        locale.t(`license.named.${license_type}`) +
                        (upgrades_license === null ? "" : locale.t("checkout.replaces")),
                    },
                    amount: locale.amount(amount_cents, currency),
                  }),
              ),
              link,
              ...(opens !== undefined && { opens }),
              invoices: invoicesText(locale, invoices),
              orders: orders.map(({ id }) => id).join(", "),
            },
          },
        ];
  const sales = orders.flatMap((order): NewMail[] => {
    const producer = readers.get(order.producer_id);
    const isExclusive = order.license_type === "exclusive";
    if (producer === undefined || !(isExclusive || producer.sale_mails)) return [];
    const facts = { ...factsOf(order, now), link: `${publicUrl}/portal/sales` };
    return [{ userId: producer.id, to: producer.email, template: isExclusive ? "exclusive-sold" : "sold", facts }];
  });
  await queueMails(transaction, [...receipt, ...sales], now);
}

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
        outcome: { text: isEnded ? "mail.ended" : order.status === "completed" ? "mail.stays" : "mail.notBought" },
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
