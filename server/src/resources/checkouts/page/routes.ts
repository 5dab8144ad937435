import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { PageState } from "@beatmarket/payments/provider.ts";
import type { Locale } from "../../../../../contract/texts/locale.ts";
import { readerLocale } from "../../../access/reader-locale.ts";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { SettlementDependencies } from "../../orders/checkout.ts";
import type { FileKind } from "../../orders/fulfilment/fulfilment.ts";
import type { Fulfilments } from "../../orders/fulfilment/fulfilments.ts";
import { orderFileRoute } from "../../orders/fulfilment/routes.ts";
import { isFullyRefunded } from "../../orders/order.ts";
import { kindIn, paymentHtml } from "../../orders/payments/page/routes.ts";
import { SandboxPages, slowMethod } from "../../orders/payments/sandbox/sandbox-pages.ts";
import { type CheckoutWithItems, checkoutPagePath, providerOf } from "../checkout.ts";
import { askProvider } from "../checkout-watch.ts";
import { findCheckoutByKey } from "../queries.ts";
import { settleCheckout } from "../settle-checkout.ts";

/** Limits the queries of one page to the provider. Without a query, the page shows the stored state. */
const queryRate = { burst: 5, perSecond: 0.5 };
/** A form of one field. */
const maxBodyBytes = 200;
/** `{CHECKOUT_ID}` in a URL, percent-encoded or not. */
const idPlaceholder = /(?:\{|%7B)CHECKOUT_ID(?:\}|%7D)/gi;
const waiting: BuyerAction = { kind: "wait" };

interface CheckoutPageRouteParts {
  checkout: SettlementDependencies;
  fulfilments: Fulfilments;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  catalogue: Pick<CatalogueVersion, "bump">;
}

/**
 * `/pay/checkouts/{payment_key}` (docs/api/checkouts.md, The page): shows a checkout to everyone with its address, and
 * after the payment the files. GET queries the provider, which sends the buyer back with `?paid`. POST pays in the
 * payment sandbox.
 */
export function checkoutPageRoutes(parts: CheckoutPageRouteParts): Route[] {
  const { checkout: dependencies, concurrency, fulfilments } = parts;
  const queries = new TokenBuckets(dependencies.clock, queryRate);
  const path = checkoutPagePath(":payment_key");
  const find = (key: string | undefined): Promise<CheckoutWithItems | undefined> =>
    // A text that cannot be a key costs no statement.
    key !== undefined && /^checkout_[\w-]{24}$/.test(key)
      ? concurrency.run("media", () => findCheckoutByKey(dependencies.db, key))
      : Promise.resolve(undefined);
  return [
    openRoute(
      path,
      async (context) => {
        const { params, query } = context;
        const locale = readerLocale(context);
        const checkoutOfKey = await find(params.payment_key);
        if (checkoutOfKey === undefined) return unknownCheckout(locale);
        const mayQuery = checkoutOfKey.status === "open" && queries.take(checkoutOfKey.payment_key);
        const { checkout, action } = mayQuery
          ? await settleFromProvider(parts, checkoutOfKey)
          : { checkout: checkoutOfKey, action: waiting };
        if (checkout.status === "completed" && checkout.success_url !== null && query === "paid")
          return redirect(checkout.success_url.replaceAll(idPlaceholder, String(checkout.id)));
        const files = await concurrency.run("media", () => filesOf(fulfilments, checkout));
        return checkoutPage(locale, { checkout, action, files });
      },
      { isVital: true },
    ),
    openRoute(
      path,
      async (context) => {
        const { params, body } = context;
        const checkout = await find(params.payment_key);
        if (checkout === undefined) return unknownCheckout(readerLocale(context));
        const form = new URLSearchParams(body?.toString("latin1"));
        if (checkout.status === "open") await applyBuyerAction(parts, checkout, form);
        return redirect(`${checkoutPagePath(checkout.payment_key)}?paid`);
      },
      { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
    ),
    orderFileRoute(
      path,
      fulfilments,
      async (params, orderId) => (await find(params.payment_key))?.orders.find(({ id }) => id === orderId),
      (context) => unknownCheckout(readerLocale(context)),
    ),
  ];
}

const redirect = (location: string): HttpResponse => ({ status: 303, headers: { ...privatePageHeaders, location } });

async function filesOf(
  fulfilments: Fulfilments,
  { orders }: CheckoutWithItems,
): Promise<ReadonlyMap<number, readonly FileKind[]>> {
  const files = new Map<number, readonly FileKind[]>();
  for (const { id, user_id, status } of orders)
    if (status === "completed") files.set(id, await fulfilments.kinds(user_id, id));
  return files;
}

/** Settles a checkout by the provider's current state, and returns the buyer's next action. */
async function settleFromProvider(
  { checkout: dependencies, catalogue }: CheckoutPageRouteParts,
  checkout: CheckoutWithItems,
): Promise<{ checkout: CheckoutWithItems; action: BuyerAction }> {
  try {
    const { pages } = providerOf(dependencies, checkout);
    const state = await askProvider(dependencies, checkout);
    await settleCheckout(dependencies, checkout.id, state);
    const settled = (await findCheckoutByKey(dependencies.db, checkout.payment_key)) ?? checkout;
    if (settled.status !== "open") catalogue.bump();
    return { checkout: settled, action: await actionOf(pages, checkout, state) };
  } catch (error) {
    dependencies.log.warn({ err: error, checkoutId: checkout.id }, "a checkout's page could not ask the provider");
    return { checkout, action: waiting };
  }
}

async function actionOf(
  pages: object,
  { url, payment_key }: CheckoutWithItems,
  state: PageState,
): Promise<BuyerAction> {
  if (state.status !== "open") return waiting;
  if (!(pages instanceof SandboxPages)) return url === null ? waiting : { kind: "provider", url };
  const page = await pages.find(payment_key);
  return page?.status === "approving" ? { kind: "bank" } : { kind: "cards", reason: page?.failure_reason ?? null };
}

/** Applies the buyer's choice on the page of the payment sandbox. Does nothing for another provider's checkout. */
async function applyBuyerAction(
  { checkout: dependencies, catalogue }: CheckoutPageRouteParts,
  checkout: CheckoutWithItems,
  form: URLSearchParams,
): Promise<void> {
  const { pages } = providerOf(dependencies, checkout);
  if (!(pages instanceof SandboxPages)) return;
  const card = cards.find(({ method }) => method === form.get("card"));
  const decision = form.get("decision");
  // An overdue checkout accepts no payment; the query below closes its page.
  if (checkout.expires_at.getTime() > dependencies.clock.nowMs()) {
    if (card !== undefined) await pages.pay(checkout.payment_key, card.method);
    if (decision === "approve" || decision === "decline") await pages.decide(checkout.payment_key, decision);
  }
  const state = await askProvider(dependencies, checkout);
  await settleCheckout(dependencies, checkout.id, state);
  if (state.status === "succeeded" || state.status === "expired") catalogue.bump();
}

/** The action of the buyer on the page of an open checkout. */
type BuyerAction =
  /** Go to the provider's page. */
  | { kind: "provider"; url: string }
  /** Choose a card of the payment sandbox. `reason`: why the previous card was declined; null for the first. */
  | { kind: "cards"; reason: string | null }
  /** Approve or decline the payment at the bank of the payment sandbox. */
  | { kind: "bank" }
  /** Do nothing: the provider is processing the payment, does not answer, or was not asked (`queryRate`). */
  | { kind: "wait" };

/** The cards of the payment sandbox, one for each outcome. */
const cards = [
  { method: "pm_card_visa", name: "card.pays", hint: "card.paysHint" },
  { method: "pm_card_visa_chargeDeclined", name: "card.declined", hint: "card.declinedHint" },
  { method: "pm_card_authenticationRequired", name: "card.approval", hint: "card.approvalHint" },
  { method: slowMethod, name: "card.slow", hint: "card.slowHint" },
] as const;

interface CheckoutPageParts {
  checkout: CheckoutWithItems;
  action: BuyerAction;
  /** The files of each order, by the id of the order. */
  files: ReadonlyMap<number, readonly FileKind[]>;
}

function checkoutPage(locale: Locale, { checkout, action, files }: CheckoutPageParts): HttpResponse {
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

const unknownCheckout = (locale: Locale): HttpResponse =>
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
