import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { PricedItem } from "../../resources/checkouts/basket.ts";
import type { Quote } from "../../resources/discounts/discount.ts";
import type { TypedBilling } from "../../resources/invoices/billing.ts";

/** The typed fields of a buyer without an account. */
export interface BuyerInput {
  email: string;
  name: string;
  billing: TypedBilling;
}

export interface BasketPage {
  items: readonly PricedItem[];
  /** The quote for the items that are on sale. */
  quote: Quote;
  /** The discount code that the buyer typed; empty without a code. */
  code: string;
  currency: string;
  /** Whether the buyer is signed in, and needs neither an address nor a name. */
  hasAccount: boolean;
  /** The error of the last form; null without an error. */
  problem: string | null;
  /** The values of the last form. */
  input: BuyerInput;
}

const price = (locale: Locale, cents: number, currency: string): string => locale.price(cents / 100, currency);

export function basketMain(
  locale: Locale,
  { items, quote, code, currency, hasAccount, problem, input }: BasketPage,
): string {
  const count = items.filter(({ isOnSale }) => isOnSale).length;
  return `<div class="page basket">
<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> ${locale.t("basket.title")}</nav>
<h1>${locale.t("basket.title")}</h1>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
${
  items.length === 0
    ? `<p class="dim">${locale.t("basket.empty")}</p>
<p><a class="button primary" href="/">${locale.t("frame.findBeats")}</a></p>`
    : `<ul class="rows">
${items.map((item) => row(locale, item, currency)).join("\n")}
</ul>
${count === 0 ? "" : `${codeForm(locale, code, quote)}\n${paymentForm(locale, { quote, code, count, currency, hasAccount, input })}`}`
}
</div>`;
}

/** What changed since the buyer put the item into the basket; empty if nothing changed. */
function noticeOf(locale: Locale, item: PricedItem, currency: string): string {
  const { shownCents, priceCents, isOnSale, isTakenDown, problem } = item;
  if (isTakenDown) return `<p class="gone">${locale.t("basket.takenDown")}</p>`;
  if (problem !== null) return `<p class="gone">${escapeHtml(problem)} ${locale.t("basket.leftOut")}</p>`;
  if (!isOnSale) return `<p class="gone">${locale.t("basket.gone")}</p>`;
  if (shownCents === priceCents) return "";
  return `<p class="changed">${locale.t("basket.changed", { price: price(locale, shownCents, currency) })}</p>`;
}

const row = (locale: Locale, item: PricedItem, currency: string): string => {
  const { beatId, title, producerName, priceCents, isOnSale, isTakenDown } = item;
  return `<li>
<div><a class="title" href="/beats/${beatId}"><bdi>${escapeHtml(title)}</bdi></a>
<p class="dim">${licenseText(locale, item)}${isTakenDown ? "" : locale.t("basket.by", { producer: `<bdi>${escapeHtml(producerName)}</bdi>` })}</p>
${noticeOf(locale, item, currency)}</div>
<span class="mono">${isOnSale ? price(locale, priceCents, currency) : ""}</span>
<form method="post" data-in-place action="/basket"><input type="hidden" name="remove" value="${beatId}"><button class="button" aria-label="${locale.t("basket.removeThe", { title: escapeHtml(title) })}">${locale.t("basket.remove")}</button></form>
</li>`;
};

/** `Premium license`, and the license that it upgrades or renews. */
const licenseText = (locale: Locale, { licenseType, upgradesFrom }: PricedItem): string => {
  const type = locale.t(`license.${licenseType}`);
  if (upgradesFrom === null) return locale.t("license.titled", { type });
  return upgradesFrom === licenseType
    ? locale.t("basket.renewal", { type })
    : locale.t("basket.upgrade", { from: locale.t(`license.${upgradesFrom}`), to: type });
};

/** The HTML of a reason, whose text is English on the pages of every language. */
const inEnglish = ({ language }: Locale, text: string): string =>
  language === "en" ? escapeHtml(text) : `<span lang="en">${escapeHtml(text)}</span>`;

/** The field for a code, and the reason why it does not apply. */
const codeForm = (locale: Locale, code: string, { codeProblem, rules }: Quote): string => {
  const unused = rules.find((rule) => rule.code !== null && !rule.applied)?.reason ?? null;
  const isUsed = rules.some((rule) => rule.code !== null && rule.applied);
  const reason = codeProblem ?? (isUsed ? null : unused);
  return `<form class="code" method="get" action="/basket">
<label><span>${locale.t("basket.code")}</span> <input name="code" maxlength="100" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${escapeHtml(code)}"></label>
<button class="button">${locale.t("basket.apply")}</button>
</form>
${code === "" || reason === null ? "" : `<p class="problem" role="alert">${locale.t("basket.codeUnused", { code: `<bdi>${escapeHtml(code)}</bdi>`, reason: inEnglish(locale, reason) })}</p>`}`;
};

/** The reductions of the basket, and hints at reductions of a larger basket. */
const discountLines = (locale: Locale, { rules }: Quote, currency: string): string =>
  rules
    .flatMap(({ rule, code, applied, reason, discountCents }) => {
      if (rule === null || (code !== null && !applied)) return [];
      const name = `<bdi>${escapeHtml(rule.name)}</bdi>${code === null ? "" : ` (${escapeHtml(code)})`}`;
      return applied
        ? [
            `<p class="discount"><span>${name}</span> <span class="mono">−${price(locale, discountCents, currency)}</span></p>`,
          ]
        : [`<p class="dim">${name}: ${inEnglish(locale, reason)}</p>`];
    })
    .join("\n");

/** The invoice details of a buyer without an account; all are optional. */
const billingFields = (
  locale: Locale,
  { billing: { name, address, country, vatId } }: BasketPage["input"],
): string => `<details class="billing"${[name, address, country, vatId].some((text) => text !== "") ? " open" : ""}>
<summary>${locale.t("basket.billing")} <span class="dim">${locale.t("basket.optional")}</span></summary>
<label><span>${locale.t("basket.billingName")}</span> <input name="billing_name" maxlength="100" autocomplete="organization" value="${escapeHtml(name)}"></label>
<label><span>${locale.t("basket.billingAddress")}</span> <textarea name="billing_address" maxlength="320" rows="3" autocomplete="street-address">${escapeHtml(address)}</textarea></label>
<label><span>${locale.t("basket.billingCountry")}</span> <input name="billing_country" maxlength="2" autocomplete="country" autocapitalize="characters" value="${escapeHtml(country)}"></label>
<label><span>${locale.t("basket.vatNumber")}</span> <input name="billing_vat_id" maxlength="20" autocomplete="off" value="${escapeHtml(vatId)}"></label>
</details>`;

function paymentForm(
  locale: Locale,
  {
    quote,
    code,
    count,
    currency,
    hasAccount,
    input,
  }: { count: number } & Pick<BasketPage, "quote" | "code" | "currency" | "hasAccount" | "input">,
): string {
  const { totalCents: total } = quote;
  return `<form class="pay" method="post" action="/basket/checkout">
<input type="hidden" name="total" value="${total}"><input type="hidden" name="time_zone" data-time-zone>
${code === "" ? "" : `<input type="hidden" name="code" value="${escapeHtml(code)}">\n`}${
  hasAccount
    ? ""
    : `<label><span>${locale.t("basket.email")}</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(input.email)}"></label>
<p class="dim">${locale.t("basket.emailHint")}</p>
<label><span>${locale.t("basket.name")} <span class="dim">${locale.t("basket.optional")}</span></span> <input name="name" maxlength="100" autocomplete="name" value="${escapeHtml(input.name)}"></label>
${billingFields(locale, input)}`
}
${discountLines(locale, quote, currency)}
<p class="total"><span>${locale.t("basket.total", { licenses: locale.t("license.count", { count }) })}</span> <strong class="mono">${price(locale, total, currency)}</strong></p>
<button class="button primary">${total === 0 ? locale.t("basket.free") : locale.t("basket.pay", { price: price(locale, total, currency) })}</button>
${hasAccount ? "" : `<p class="dim">${locale.t("basket.signIn", { link: '<a href="/portal/sign-in?next=%2Fbasket">', end: "</a>" })}</p>`}
</form>`;
}
