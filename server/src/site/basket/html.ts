import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ShownItem } from "../../resources/checkouts/basket.ts";
import type { Quote } from "../../resources/discounts/pricing/rule.ts";
import type { TypedBilling } from "../../resources/invoices/billing.ts";
import { priceText } from "../html/beats.ts";

/** What a buyer without an account has typed. */
export interface GivenByBuyer {
  email: string;
  name: string;
  billing: TypedBilling;
}

export interface BasketPage {
  items: readonly ShownItem[];
  /** Of those that are on sale. */
  quote: Quote;
  /** The discount code that the buyer typed; empty for none. */
  code: string;
  currency: string;
  /** Whether somebody is signed in, who needs neither an address nor a name. */
  hasAccount: boolean;
  /** What went wrong with the last form; null for nothing. */
  problem: string | null;
  /** What the last form had. */
  given: GivenByBuyer;
}

const labels = { basic: "Basic", premium: "Premium", unlimited: "Unlimited", exclusive: "Exclusive" } as const;

const price = (cents: number, currency: string): string => priceText(cents / 100, currency);

export function basketMain({ items, quote, code, currency, hasAccount, problem, given }: BasketPage): string {
  const count = items.filter(({ isOnSale }) => isOnSale).length;
  return `<div class="page basket">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> Basket</nav>
<h1>Basket</h1>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
${
  items.length === 0
    ? `<p class="dim">Nothing is in the basket yet.</p>
<p><a class="button primary" href="/">Find beats</a></p>`
    : `<ul class="rows">
${items.map((item) => row(item, currency)).join("\n")}
</ul>
${count === 0 ? "" : `${codeForm(code, quote)}\n${paymentForm({ quote, code, count, currency, hasAccount, given })}`}`
}
</div>`;
}

const row = (
  { beatId, licenseType, seenCents, title, producerName, priceCents, isOnSale, isTakenDown }: ShownItem,
  currency: string,
): string => `<li>
<div><a class="title" href="/beats/${beatId}"><bdi>${escapeHtml(title)}</bdi></a>
<p class="dim">${labels[licenseType]} license${isTakenDown ? "" : `, by <bdi>${escapeHtml(producerName)}</bdi>`}</p>
${
  isTakenDown
    ? `<p class="gone">The operator of this marketplace took this beat down. It is left out of the payment.</p>`
    : !isOnSale
      ? `<p class="gone">No longer on sale. It is left out of the payment.</p>`
      : seenCents === priceCents
        ? ""
        : `<p class="changed">The price has changed: it was ${price(seenCents, currency)} when you chose it.</p>`
}</div>
<span class="mono">${isOnSale ? price(priceCents, currency) : ""}</span>
<form method="post" data-in-place action="/basket"><input type="hidden" name="remove" value="${beatId}"><button class="button" aria-label="Remove ${escapeHtml(title)}">Remove</button></form>
</li>`;

/** Where a code is typed, and why it does not apply. */
const codeForm = (code: string, { codeProblem, rules }: Quote): string => {
  const unused = rules.find((rule) => rule.code !== null && !rule.applied)?.reason ?? null;
  const isUsed = rules.some((rule) => rule.code !== null && rule.applied);
  const reason = codeProblem ?? (isUsed ? null : unused);
  return `<form class="code" method="get" action="/basket">
<label><span>Discount code</span> <input name="code" maxlength="100" autocomplete="off" autocapitalize="characters" spellcheck="false" value="${escapeHtml(code)}"></label>
<button class="button">Apply</button>
</form>
${code === "" || reason === null ? "" : `<p class="problem" role="alert">The code <bdi>${escapeHtml(code)}</bdi> takes nothing off. ${escapeHtml(reason)}</p>`}`;
};

/** What is taken off, and what would be with another basket. */
const discountLines = ({ rules }: Quote, currency: string): string =>
  rules
    .flatMap(({ rule, code, applied, reason, discountCents }) => {
      if (rule === null || (code !== null && !applied)) return [];
      const name = `<bdi>${escapeHtml(rule.name)}</bdi>${code === null ? "" : ` (${escapeHtml(code)})`}`;
      return applied
        ? [`<p class="discount"><span>${name}</span> <span class="mono">−${price(discountCents, currency)}</span></p>`]
        : [`<p class="dim">${name}: ${escapeHtml(reason)}</p>`];
    })
    .join("\n");

/** How invoices name a buyer without an account, who may leave all of it out. */
const billingFields = ({
  billing: { name, address, country, vatId },
}: BasketPage["given"]): string => `<details class="billing"${
  [name, address, country, vatId].some((text) => text !== "") ? " open" : ""
}>
<summary>Details for the invoice <span class="dim">(optional)</span></summary>
<label><span>Name or company</span> <input name="billing_name" maxlength="100" autocomplete="organization" value="${escapeHtml(name)}"></label>
<label><span>Address, at most three lines</span> <textarea name="billing_address" maxlength="320" rows="3" autocomplete="street-address">${escapeHtml(address)}</textarea></label>
<label><span>Country, two letters such as DE</span> <input name="billing_country" maxlength="2" autocomplete="country" autocapitalize="characters" value="${escapeHtml(country)}"></label>
<label><span>VAT number</span> <input name="billing_vat_id" maxlength="20" autocomplete="off" value="${escapeHtml(vatId)}"></label>
</details>`;

function paymentForm({
  quote,
  code,
  count,
  currency,
  hasAccount,
  given,
}: { count: number } & Pick<BasketPage, "quote" | "code" | "currency" | "hasAccount" | "given">): string {
  const { totalCents: total } = quote;
  return `<form class="pay" method="post" action="/basket/checkout">
<input type="hidden" name="total" value="${total}"><input type="hidden" name="time_zone" data-time-zone>
${code === "" ? "" : `<input type="hidden" name="code" value="${escapeHtml(code)}">\n`}${
  hasAccount
    ? ""
    : `<label><span>E-mail</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(given.email)}"></label>
<p class="dim">The receipt and the link to your files go there. No account is needed; you can register with this address later.</p>
<label><span>Name on the licenses <span class="dim">(optional)</span></span> <input name="name" maxlength="100" autocomplete="name" value="${escapeHtml(given.name)}"></label>
${billingFields(given)}`
}
${discountLines(quote, currency)}
<p class="total"><span>Total of ${count === 1 ? "1 license" : `${count} licenses`}</span> <strong class="mono">${price(total, currency)}</strong></p>
<button class="button primary">${total === 0 ? "Get it for free" : `Pay ${price(total, currency)}`}</button>
${hasAccount ? "" : `<p class="dim"><a href="/portal/sign-in?next=%2Fbasket">Sign in</a> to buy with your account.</p>`}
</form>`;
}
