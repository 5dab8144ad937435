import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Locale } from "../../../../../contract/texts/locale.ts";
import type { FileKind } from "../../orders/fulfilment/fulfilment.ts";
import { isFullyRefunded } from "../../orders/order.ts";
import { kindIn, paymentHtml } from "../../orders/payments/page/html.ts";
import { slowMethod } from "../../orders/payments/sandbox/sandbox-pages.ts";
import { type CheckoutWithItems, checkoutPagePath } from "../checkout.ts";

/** The action of the buyer on the page of an open checkout. */
export type BuyerAction =
  /** Go to the provider's page. */
  | { kind: "provider"; url: string }
  /** Choose a card of the payment sandbox. `reason`: why the previous card was declined; null for the first. */
  | { kind: "cards"; reason: string | null }
  /** Approve or decline the payment at the bank of the payment sandbox. */
  | { kind: "bank" }
  | { kind: "wait" };

/** The cards of the payment sandbox, one for each outcome. */
export const cards = [
  { method: "pm_card_visa", name: "card.pays", hint: "card.paysHint" },
  { method: "pm_card_visa_chargeDeclined", name: "card.declined", hint: "card.declinedHint" },
  { method: "pm_card_authenticationRequired", name: "card.approval", hint: "card.approvalHint" },
  { method: slowMethod, name: "card.slow", hint: "card.slowHint" },
] as const;

export interface CheckoutPageParts {
  checkout: CheckoutWithItems;
  action: BuyerAction;
  /** The files of each order, by the id of the order. */
  files: ReadonlyMap<number, readonly FileKind[]>;
}

export function checkoutPage(locale: Locale, { checkout, action, files }: CheckoutPageParts): HttpResponse {
  const { status, items, amount_cents, currency } = checkout;
  const isPaid = status === "completed";
  const licenses = locale.t("license.count", { count: items.length });
  return paymentHtml(200, {
    ...kindIn(locale),
    title: locale.t(isPaid ? "checkout.files" : "pay.name"),
    body: `<h1>${isPaid ? locale.t("checkout.files") : locale.t("checkout.payFor", { licenses })}</h1>
${statePart(locale, checkout, action)}
${isPaid ? ordersPart(locale, checkout, files) : itemsPart(locale, checkout)}
<dl>
${checkout.discounts.map(({ name, code, amount_cents: cents }) => `<div><dt><bdi>${escapeHtml(name)}</bdi>${code === null ? "" : ` (${escapeHtml(code)})`}</dt><dd>−${escapeHtml(locale.amount(cents, currency))}</dd></div>`).join("\n")}
<div><dt>${locale.t("checkout.total")}</dt><dd>${escapeHtml(locale.amount(amount_cents, currency))}</dd></div>
${checkout.email === null ? "" : `<div><dt>${locale.t("checkout.receiptTo")}</dt><dd>${escapeHtml(checkout.email)}</dd></div>`}
</dl>
${actionPart(locale, checkout, action)}`,
  });
}

export const unknownCheckout = (locale: Locale): HttpResponse =>
  paymentHtml(404, {
    ...kindIn(locale),
    title: locale.t("checkout.unknown"),
    body: `<h1>${locale.t("checkout.unknown")}</h1>
<p>${locale.t("checkout.unknownHint")}</p>
<p><a href="/">${locale.t("frame.findBeats")}</a></p>`,
  });

const itemsPart = (locale: Locale, { items, currency }: CheckoutWithItems): string => `<ul>
${items
  .map(
    ({ title, producer_name, license_type, amount_cents, discount_cents, beat_id, upgrades_license }) =>
      `<li><a dir="auto" href="/beats/${beat_id}">${escapeHtml(title)}</a> <span class="faint">${locale.t("beat.by", { producer: `<bdi>${escapeHtml(producer_name)}</bdi>` })}</span><br>
<span class="faint">${locale.t(`license.named.${license_type}`)}${upgrades_license === null ? "" : locale.t("checkout.replaces")} · ${escapeHtml(locale.amount(amount_cents + discount_cents, currency))}</span></li>`,
  )
  .join("\n")}
</ul>`;

const ordersPart = (
  locale: Locale,
  { orders, payment_key }: CheckoutWithItems,
  files: CheckoutPageParts["files"],
): string => `<ul>
${orders
  .map(
    (
      order,
    ) => `<li><span dir="auto">${escapeHtml(order.title)}</span> <span class="faint">${locale.t("checkout.orderOf", { producer: `<bdi>${escapeHtml(order.producer_name)}</bdi>`, license: locale.t(`license.named.${order.license_type}`), order: String(order.id) })}</span>
${
  isFullyRefunded(order)
    ? `<div class="faint">${locale.t("checkout.licenseEnded")}</div>`
    : `<div class="files">${(files.get(order.id) ?? [])
        .map(
          (kind) =>
            `<a href="${checkoutPagePath(payment_key)}/files/${order.id}/${kind}">${locale.t(`download.${kind}`)}</a>`,
        )
        .join("\n")}</div>`
}</li>`,
  )
  .join("\n")}
</ul>`;

function statePart(locale: Locale, { status, failure_reason }: CheckoutWithItems, action: BuyerAction): string {
  switch (status) {
    case "completed":
      return `<p class="state good" role="status"><span aria-hidden="true">✓</span> ${locale.t("checkout.paid")}</p>
<p class="faint">${locale.t("checkout.bookmark", { link: '<a href="/">', end: "</a>" })}</p>`;
    case "expired":
      return `<p class="state" role="status">${locale.t("checkout.expired")}</p>
<p><a href="/basket">${locale.t("checkout.toBasket")}</a></p>`;
    case "cancelled":
      return `<p class="state bad" role="status"><span aria-hidden="true">✕</span> <span lang="en">${escapeHtml(failure_reason ?? "")}</span></p>
<p><a href="/">${locale.t("checkout.otherBeats")}</a></p>`;
    case "open":
      if (action.kind === "wait") return `<p class="state" role="status">${locale.t("pay.processing")}</p>`;
      if (action.kind === "bank") return `<p class="state" role="status">${locale.t("pay.approveAsked")}</p>`;
      return action.kind === "cards" && action.reason !== null
        ? `<p class="state bad" role="alert"><span aria-hidden="true">✕</span> ${locale.t("checkout.otherCard", { reason: escapeHtml(action.reason) })}</p>`
        : "";
  }
}

function actionPart(locale: Locale, { status, cancel_url }: CheckoutWithItems, action: BuyerAction): string {
  if (status !== "open") return "";
  const back = `<p><a href="${escapeHtml(cancel_url ?? "/basket")}" rel="noreferrer">${locale.t("checkout.goBack")}</a></p>`;
  switch (action.kind) {
    case "provider":
      return `<a class="button" rel="noreferrer" href="${escapeHtml(action.url)}">${locale.t("checkout.toPayment")}</a>${back}`;
    case "cards":
      return `<p class="faint">${locale.t("checkout.testCards")}</p>
<form method="post">
${cards.map(({ method, name, hint }, place) => `<button class="button card${place === 0 ? "" : " plain"}" name="card" value="${method}">${locale.t(name)}<small>${locale.t(hint)}</small></button>`).join("\n")}
</form>${back}`;
    case "bank":
      return `<p class="faint">${locale.t("checkout.testBank")}</p>
<form method="post">
<button class="button" name="decision" value="approve">${locale.t("pay.approve")}</button>
<button class="button plain" name="decision" value="decline">${locale.t("pay.decline")}</button>
</form>`;
    case "wait":
      return `<a class="button plain" href="">${locale.t("pay.checkAgain")}</a>`;
  }
}
