import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { fileLabels } from "../../orders/fulfilment/file-route.ts";
import type { FileKind } from "../../orders/fulfilment/fulfilment.ts";
import { isFullyRefunded } from "../../orders/order.ts";
import { paymentHtml } from "../../orders/payments/page/html.ts";
import { slowMethod } from "../../orders/payments/sandbox/sandbox-pages.ts";
import { type CheckoutWithItems, checkoutPagePath } from "../checkout.ts";

/** What the buyer can do on the page of an open checkout. */
export type BuyerAction =
  /** Go to the provider's page. */
  | { kind: "provider"; url: string }
  /** Choose a card of the sandbox. `reason`: why the last one was declined. */
  | { kind: "cards"; reason: string | null }
  /** Approve or decline at the sandbox's bank. */
  | { kind: "bank" }
  | { kind: "wait" };

/** The cards of the sandbox's page, by what they do. */
export const cards = [
  { method: "pm_card_visa", name: "A card that pays", hint: "The payment succeeds at once." },
  {
    method: "pm_card_visa_chargeDeclined",
    name: "A card that is declined",
    hint: "Your bank refuses. You can try another one.",
  },
  { method: "pm_card_authenticationRequired", name: "A card that needs approval", hint: "Your bank asks you first." },
  { method: slowMethod, name: "A slow payment", hint: "It is accepted, and comes through some seconds later." },
] as const;

export interface CheckoutPageParts {
  checkout: CheckoutWithItems;
  action: BuyerAction;
  /** By the id of the order. */
  files: ReadonlyMap<number, readonly FileKind[]>;
}

export function checkoutPage({ checkout, action, files }: CheckoutPageParts): HttpResponse {
  const { status, items, amount_cents, currency } = checkout;
  const count = items.length === 1 ? "1 license" : `${items.length} licenses`;
  return paymentHtml(200, {
    title: status === "completed" ? "Your files" : "Payment",
    body: `<h1>${status === "completed" ? "Your files" : `Pay for ${count}`}</h1>
${statePart(checkout, action)}
${status === "completed" ? ordersPart(checkout, files) : itemsPart(checkout)}
<dl>
${checkout.discounts.map(({ name, code, amount_cents: cents }) => `<div><dt><bdi>${escapeHtml(name)}</bdi>${code === null ? "" : ` (${escapeHtml(code)})`}</dt><dd>−${escapeHtml(formatAmount(cents, currency))}</dd></div>`).join("\n")}
<div><dt>Total</dt><dd>${escapeHtml(formatAmount(amount_cents, currency))}</dd></div>
${checkout.email === null ? "" : `<div><dt>Receipt to</dt><dd>${escapeHtml(checkout.email)}</dd></div>`}
</dl>
${actionPart(checkout, action)}`,
  });
}

export const unknownCheckout = (): HttpResponse =>
  paymentHtml(404, {
    title: "Unknown checkout",
    body: `<h1>Unknown checkout</h1>
<p>No checkout has this address. Open the link again as you got it: all of it is needed.</p>
<p><a href="/">Find beats</a></p>`,
  });

const itemsPart = ({ items, currency }: CheckoutWithItems): string => `<ul>
${items
  .map(
    ({ title, producer_name, license_type, amount_cents, discount_cents, beat_id }) =>
      `<li><a dir="auto" href="/beats/${beat_id}">${escapeHtml(title)}</a> <span class="faint">by <bdi>${escapeHtml(producer_name)}</bdi></span><br>
<span class="faint">${escapeHtml(license_type)} license · ${escapeHtml(formatAmount(amount_cents + discount_cents, currency))}</span></li>`,
  )
  .join("\n")}
</ul>`;

const ordersPart = ({ orders, payment_key }: CheckoutWithItems, files: CheckoutPageParts["files"]): string => `<ul>
${orders
  .map(
    (
      order,
    ) => `<li><span dir="auto">${escapeHtml(order.title)}</span> <span class="faint">by <bdi>${escapeHtml(order.producer_name)}</bdi>, ${escapeHtml(order.license_type)} license, order ${order.id}</span>
${
  isFullyRefunded(order)
    ? `<div class="faint">Refunded: the license has ended.</div>`
    : `<div class="files">${(files.get(order.id) ?? [])
        .map((kind) => `<a href="${checkoutPagePath(payment_key)}/files/${order.id}/${kind}">${fileLabels[kind]}</a>`)
        .join("\n")}</div>`
}</li>`,
  )
  .join("\n")}
</ul>`;

function statePart({ status, failure_reason }: CheckoutWithItems, action: BuyerAction): string {
  switch (status) {
    case "completed":
      return `<p class="state good" role="status"><span aria-hidden="true">✓</span> Paid. The licenses are yours.</p>
<p class="faint">This page stays at its address: keep it as a bookmark. <a href="/">Find more beats</a></p>`;
    case "expired":
      return `<p class="state" role="status">This checkout has expired. Nothing was charged.</p>
<p><a href="/basket">Go back to the basket</a></p>`;
    case "cancelled":
      return `<p class="state bad" role="status"><span aria-hidden="true">✕</span> ${escapeHtml(failure_reason ?? "")}</p>
<p><a href="/">Find other beats</a></p>`;
    case "open":
      if (action.kind === "wait") return `<p class="state" role="status">The payment is being processed.</p>`;
      if (action.kind === "bank")
        return `<p class="state" role="status">Your bank asks you to approve this payment.</p>`;
      return action.kind === "cards" && action.reason !== null
        ? `<p class="state bad" role="alert"><span aria-hidden="true">✕</span> ${escapeHtml(action.reason)} Nothing was charged; choose another card.</p>`
        : "";
  }
}

function actionPart({ status, cancel_url }: CheckoutWithItems, action: BuyerAction): string {
  if (status !== "open") return "";
  const back = `<p><a href="${escapeHtml(cancel_url ?? "/basket")}" rel="noreferrer">Go back without paying</a></p>`;
  switch (action.kind) {
    case "provider":
      return `<a class="button" rel="noreferrer" href="${escapeHtml(action.url)}">Continue to the payment</a>${back}`;
    case "cards":
      return `<p class="faint">This is a test: no money moves. Choose what the card does.</p>
<form method="post">
${cards.map(({ method, name, hint }, place) => `<button class="button card${place === 0 ? "" : " plain"}" name="card" value="${method}">${name}<small>${hint}</small></button>`).join("\n")}
</form>${back}`;
    case "bank":
      return `<p class="faint">This is a test: the page stands for your bank.</p>
<form method="post">
<button class="button" name="decision" value="approve">Approve</button>
<button class="button plain" name="decision" value="decline">Decline</button>
</form>`;
    case "wait":
      return `<a class="button plain" href="">Check again</a>`;
  }
}
