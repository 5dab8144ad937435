import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { PageState } from "@beatmarket/payments/provider.ts";
import { readerLocale } from "../../../access/reader-locale.ts";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { SettlementDependencies } from "../../orders/checkout.ts";
import type { FileKind } from "../../orders/fulfilment/fulfilment.ts";
import type { Fulfilments } from "../../orders/fulfilment/fulfilments.ts";
import { orderFileRoute } from "../../orders/fulfilment/routes.ts";
import { SandboxPages } from "../../orders/payments/sandbox/sandbox-pages.ts";
import { type CheckoutWithItems, checkoutPagePath, providerOf } from "../checkout.ts";
import { askProvider } from "../checkout-watch.ts";
import { findCheckoutByKey } from "../queries.ts";
import { settleCheckout } from "../settle-checkout.ts";
import { type BuyerAction, cards, checkoutPage, unknownCheckout } from "./html.ts";

/** Limits the queries of one page to the provider. Without a query, the page shows the stored state. */
const queryRate = { burst: 5, perSecond: 0.5 };
/** A form of one field. */
const maxBodyBytes = 200;
/** `{CHECKOUT_ID}` in an address, encoded or not. */
const idPlaceholder = /(?:\{|%7B)CHECKOUT_ID(?:\}|%7D)/gi;
const waiting: BuyerAction = { kind: "wait" };

export interface CheckoutPageRouteParts {
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
