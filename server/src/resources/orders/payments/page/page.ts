import { createHash } from "node:crypto";
import { escapeHtml } from "../../../../text/html.ts";
import { isFullyRefunded, type PaidOrder } from "../../order.ts";
import { pageStyle } from "./style.ts";

/** What the buyer can do about a pending payment. `wait`: nothing, the provider is at work or cannot be asked. */
export type BuyerAction = { kind: "bank"; url: string } | { kind: "sandbox" } | { kind: "wait" };

/** Nothing is loaded, run or framed; the one style is known by its hash. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
  // The icon, which is empty.
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The page on which a buyer finishes the payment of an order, without who the buyer is. */
export const paymentPage = (order: PaidOrder, action: BuyerAction): string =>
  document(
    `Payment for ${order.title}`,
    `<h1 dir="auto">${escapeHtml(order.title)}</h1>
<p class="faint">Prod. by <bdi>${escapeHtml(order.producer_name)}</bdi></p>
<dl>
<div><dt>License</dt><dd>${escapeHtml(order.license_type)}</dd></div>
<div><dt>Amount</dt><dd>${escapeHtml(amountText(order))}</dd></div>
<div><dt>Order</dt><dd>${order.id}</dd></div>
</dl>
${order.status === "pending" ? pendingPart(action) : finalPart(order)}`,
  );

export const unknownPage = (): string =>
  document(
    "Unknown payment",
    `<h1>Unknown payment</h1>
<p>No payment has this address. Open the link again, as the shop gave it to you.</p>`,
  );

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

const amountText = ({ amount_cents, currency }: PaidOrder): string =>
  new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" }).format(amount_cents / 100);

const document = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="kind">Payment</p>
${body}
</main>
</body>
</html>
`;
