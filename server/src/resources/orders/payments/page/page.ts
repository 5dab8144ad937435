import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { isFullyRefunded, type PaidOrder } from "../../order.ts";

/** What the buyer can do about a pending payment. `wait`: nothing, the provider is at work or cannot be asked. */
export type BuyerAction = { kind: "bank"; url: string } | { kind: "sandbox" } | { kind: "wait" };

const page: HtmlPage = htmlPage({
  name: "Payment",
  hasForms: true,
  style: `
main { max-width: 440px }
h1 { font: 600 24px/1.25 system-ui, sans-serif }
dl { margin: 0 0 20px; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--faint) }
dd { text-align: end; font-weight: 600 }
form { display: grid; gap: 12px }
.button { display: block; width: 100%; min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px;
  background: #5b3fd6; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.plain { background: none; border-color: var(--line); color: var(--text) }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

/** The page on which a buyer finishes the payment of an order, without who the buyer is. */
export const paymentPage = (order: PaidOrder, action: BuyerAction): HttpResponse =>
  page(200, {
    title: `Payment for ${order.title}`,
    body: `<h1 dir="auto">${escapeHtml(order.title)}</h1>
<p class="faint">Prod. by <bdi>${escapeHtml(order.producer_name)}</bdi></p>
<dl>
<div><dt>License</dt><dd>${escapeHtml(order.license_type)}</dd></div>
<div><dt>Amount</dt><dd>${escapeHtml(formatAmount(order.amount_cents, order.currency))}</dd></div>
<div><dt>Order</dt><dd>${order.id}</dd></div>
</dl>
${order.status === "pending" ? pendingPart(action) : finalPart(order)}`,
  });

export const unknownPage = (): HttpResponse =>
  page(404, {
    title: "Unknown payment",
    body: `<h1>Unknown payment</h1>
<p>No payment has this address. Open the link again, as the shop gave it to you.</p>`,
  });

function pendingPart(action: BuyerAction): string {
  switch (action.kind) {
    case "bank":
      return `<p class="state" role="status">Your bank asks you to approve this payment.</p>
<a class="button" rel="noreferrer" href="${escapeHtml(action.url)}">Continue to your bank</a>`;
    case "sandbox":
      return `<p class="state" role="status">Your bank asks you to approve this payment.</p>
<p class="faint">This is a test: the page stands for your bank, and no money moves.</p>
<form method="post">
<button class="button" name="decision" value="approve">Approve</button>
<button class="button plain" name="decision" value="decline">Decline</button>
</form>`;
    case "wait":
      return `<p class="state" role="status">The payment is being processed.</p>
<a class="button plain" href="">Check again</a>`;
  }
}

function finalPart(order: PaidOrder): string {
  if (order.status === "failed")
    return `<p class="state bad" role="status"><span aria-hidden="true">✕</span> The payment failed.</p>
<p dir="auto">${escapeHtml(order.failure_reason ?? "")}</p>
<p class="faint">The license was not bought. You may close this page.</p>`;
  return isFullyRefunded(order)
    ? `<p class="state" role="status">The payment was refunded.</p>`
    : `<p class="state good" role="status"><span aria-hidden="true">✓</span> Paid. The license is yours.</p>
<p class="faint">You may close this page and go back to the shop.</p>`;
}
