import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { type HtmlPage, htmlPage, privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { Locale } from "../../../../../../contract/texts/locale.ts";
import { readerLocale } from "../../../../access/reader-locale.ts";
import { inPaymentSpan } from "../../checkout/charge.ts";
import { paymentOf, requireProvider, type SettlementDependencies } from "../../checkout.ts";
import { isFullyRefunded, type OrderWithPayment, paymentPagePath } from "../../order.ts";
import { findOrderByPaymentKey } from "../../queries.ts";
import { settle } from "../../settle.ts";
import { Sandbox } from "../sandbox/sandbox.ts";

/**
 * The next step of the buyer of a pending payment. `wait`: the buyer can do nothing, because the provider is processing
 * the payment, does not answer, or was not asked (`queryRate`).
 */
type BuyerAction = { kind: "bank"; url: string } | { kind: "sandbox" } | { kind: "wait" };

/** Returns the page on which a buyer finishes the payment of an order. The page does not show the buyer. */
const paymentPage = (locale: Locale, order: OrderWithPayment, action: BuyerAction): HttpResponse =>
  paymentHtml(200, {
    ...kindIn(locale),
    title: locale.t("pay.title", { title: order.title }),
    body: `<h1 dir="auto">${escapeHtml(order.title)}</h1>
<p class="faint">${locale.t("pay.producer", { producer: `<bdi>${escapeHtml(order.producer_name)}</bdi>` })}</p>
<dl>
<div><dt>${locale.t("pay.license")}</dt><dd>${escapeHtml(order.license_type)}</dd></div>
<div><dt>${locale.t("pay.amount")}</dt><dd>${escapeHtml(locale.amount(order.amount_cents, order.currency))}</dd></div>
<div><dt>${locale.t("pay.order")}</dt><dd>${order.id}</dd></div>
</dl>
${order.status === "pending" ? pendingPart(locale, action) : finalPart(locale, order)}`,
  });

const unknownPage = (locale: Locale): HttpResponse =>
  paymentHtml(404, {
    ...kindIn(locale),
    title: locale.t("pay.unknown"),
    body: `<h1>${locale.t("pay.unknown")}</h1>
<p>${locale.t("pay.unknownHint")}</p>`,
  });

function pendingPart(locale: Locale, action: BuyerAction): string {
  switch (action.kind) {
    case "bank":
      return `<p class="state" role="status">${locale.t("pay.approveAsked")}</p>
<a class="button" rel="noreferrer" href="${escapeHtml(action.url)}">${locale.t("pay.toBank")}</a>`;
    case "sandbox":
      return `<p class="state" role="status">${locale.t("pay.approveAsked")}</p>
<p class="faint">${locale.t("pay.testBank")}</p>
<form method="post">
<button class="button" name="decision" value="approve">${locale.t("pay.approve")}</button>
<button class="button plain" name="decision" value="decline">${locale.t("pay.decline")}</button>
</form>`;
    case "wait":
      return `<p class="state" role="status">${locale.t("pay.processing")}</p>
<a class="button plain" href="">${locale.t("pay.checkAgain")}</a>`;
  }
}

function finalPart(locale: Locale, order: OrderWithPayment): string {
  if (order.status === "failed")
    return `<p class="state bad" role="status"><span aria-hidden="true">✕</span> ${locale.t("pay.failed")}</p>
<p dir="auto" lang="en">${escapeHtml(order.failure_reason ?? "")}</p>
<p class="faint">${locale.t("pay.notBought")}</p>`;
  return isFullyRefunded(order)
    ? `<p class="state" role="status">${locale.t("pay.refunded")}</p>`
    : `<p class="state good" role="status"><span aria-hidden="true">✓</span> ${locale.t("pay.paid")}</p>
<p class="faint">${locale.t("pay.close")}</p>`;
}

/**
 * The maximum rate of calls to the provider per payment. Above it, the page shows the stored order without a next step.
 */
const queryRate = { burst: 5, perSecond: 0.5 };
/** The form has one field, so this is enough. */
const maxBodyBytes = 200;

interface PaymentPageParts {
  checkout: SettlementDependencies;
  concurrency: Pick<ConcurrencyLimiter, "run">;
}

/**
 * The routes of `/pay/{payment_key}` (docs/api/orders.md, 3-D Secure), for everyone who has the address. GET shows the
 * payment, and first reads its state from the provider, because the bank redirects the buyer to this page. POST is the
 * buyer's decision at the bank of the sandbox.
 */
export function paymentPageRoutes({ checkout, concurrency }: PaymentPageParts): Route[] {
  const { db, clock } = checkout;
  const queries = new TokenBuckets(clock, queryRate);
  const path = paymentPagePath(":payment_key");
  const find = (key: string | undefined): Promise<OrderWithPayment | undefined> =>
    // A text that cannot be a key needs no query.
    key !== undefined && /^order_\d{1,19}_[\w-]{12}$/.test(key)
      ? concurrency.run("media", () => findOrderByPaymentKey(db, key))
      : Promise.resolve(undefined);
  return [
    openRoute(
      path,
      async (context) => {
        const { params } = context;
        const locale = readerLocale(context);
        const order = await find(params.payment_key);
        if (order === undefined) return unknownPage(locale);
        if (order.status !== "pending" || !queries.take(order.payment_key)) return paymentPage(locale, order, waiting);
        const { settled, action } = await inPaymentSpan(order, () => settleAndGetAction(checkout, order));
        return paymentPage(locale, settled, action);
      },
      // The query waits in a lane that calls with a key do not use. The call to the provider holds no permit.
      { isVital: true },
    ),
    openRoute(
      path,
      async (context) => {
        const { params, body } = context;
        const order = await find(params.payment_key);
        if (order === undefined) return unknownPage(readerLocale(context));
        const decision = new URLSearchParams(body?.toString("latin1")).get("decision");
        if (order.status === "pending") await inPaymentSpan(order, () => decide(checkout, order, decision));
        return { status: 303, headers: { ...privatePageHeaders, location: paymentPagePath(order.payment_key) } };
      },
      { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
    ),
  ];
}

const waiting: BuyerAction = { kind: "wait" };

/** Settles an order by the provider's current state, and returns the buyer's next step. */
async function settleAndGetAction(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
): Promise<{ settled: OrderWithPayment; action: BuyerAction }> {
  try {
    const provider = requireProvider(checkout, order);
    const state = await provider.query(paymentOf(order));
    if (state === null) return { settled: order, action: waiting };
    const settled = await settle(checkout, order.id, state);
    if (state.status !== "pending" || state.redirectUrl === null) return { settled, action: waiting };
    return {
      settled,
      action: provider.name === "sandbox" ? { kind: "sandbox" } : { kind: "bank", url: state.redirectUrl },
    };
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "the payment's page could not ask the provider");
    return { settled: order, action: waiting };
  }
}

/** Applies the buyer's decision in the sandbox. Does nothing for a payment of another provider. */
async function decide(
  checkout: SettlementDependencies,
  order: OrderWithPayment,
  decision: string | null,
): Promise<void> {
  const provider = requireProvider(checkout, order);
  if (!(provider instanceof Sandbox)) return;
  if (decision === "approve") await provider.approve(order.id);
  if (decision === "decline") await provider.decline(order.id);
  const state = await provider.query(paymentOf(order));
  if (state !== null) await settle(checkout, order.id, state);
}

/** The page on which a buyer pays an order or a checkout. */
export const paymentHtml: HtmlPage = htmlPage({
  name: "Payment",
  hasForms: true,
  style: `
main, .site { max-width: 520px }
p a { color: var(--accent) }
h1 { font: 600 24px/1.25 system-ui, sans-serif }
dl { margin: 0 0 20px; border-top: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--faint) }
dd { text-align: end; font-weight: 600 }
form { display: grid; gap: 12px }
.button { display: block; width: 100%; min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px;
  background: #5b3fd6; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.plain { background: none; border-color: var(--line); color: var(--text) }
h2 { margin: 24px 0 8px; font-size: 16px }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 12px 0; border-bottom: 1px solid var(--line) }
li a { color: var(--accent); font-weight: 600 }
.files { display: flex; flex-wrap: wrap; gap: 4px 16px; padding-top: 4px }
.card small { display: block; font-weight: 400 }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

/** The reader's language, and the name of payment pages in that language. */
export const kindIn = (locale: Locale) => ({ language: locale.language, kind: locale.t("pay.name") });
