import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ShownItem } from "../../resources/checkouts/basket.ts";
import { priceText } from "../html/beats.ts";

export interface BasketPage {
  items: readonly ShownItem[];
  currency: string;
  /** Whether somebody is signed in, who needs neither an address nor a name. */
  hasAccount: boolean;
  /** What went wrong with the last form; null for nothing. */
  problem: string | null;
  /** What the last form had. */
  given: { email: string; name: string };
}

const labels = { basic: "Basic", premium: "Premium", unlimited: "Unlimited", exclusive: "Exclusive" } as const;

const price = (cents: number, currency: string): string => priceText(cents / 100, currency);

export const totalCents = (items: readonly ShownItem[]): number =>
  items.filter(({ isOnSale }) => isOnSale).reduce((sum, { priceCents }) => sum + priceCents, 0);

export function basketMain({ items, currency, hasAccount, problem, given }: BasketPage): string {
  const total = totalCents(items);
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
${count === 0 ? "" : paymentForm({ total, count, currency, hasAccount, given })}`
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

function paymentForm({
  total,
  count,
  currency,
  hasAccount,
  given,
}: { total: number; count: number; currency: string } & Pick<BasketPage, "hasAccount" | "given">): string {
  return `<form class="pay" method="post" action="/basket/checkout">
<input type="hidden" name="total" value="${total}"><input type="hidden" name="time_zone" data-time-zone>
${
  hasAccount
    ? ""
    : `<label><span>E-mail</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(given.email)}"></label>
<p class="dim">The receipt and the link to your files go there. No account is needed; you can register with this address later.</p>
<label><span>Name on the licenses <span class="dim">(optional)</span></span> <input name="name" maxlength="100" autocomplete="name" value="${escapeHtml(given.name)}"></label>`
}
<p class="total"><span>Total of ${count === 1 ? "1 license" : `${count} licenses`}</span> <strong class="mono">${price(total, currency)}</strong></p>
<button class="button primary">${total === 0 ? "Get it for free" : `Pay ${price(total, currency)}`}</button>
${hasAccount ? "" : `<p class="dim"><a href="/portal/sign-in?next=%2Fbasket">Sign in</a> to buy with your account.</p>`}
</form>`;
}
