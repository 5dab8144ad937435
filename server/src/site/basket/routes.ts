import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { type Account, permittedAccount } from "../../access/account.ts";
import { languageVary, problemText, readerLocale } from "../../access/reader-locale.ts";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import {
  addToBasket,
  type BasketItem,
  basketCookie,
  basketInCookies,
  findBasket,
  formatBasket,
  type PricedItem,
  removeFromBasket,
  requireRoom,
  showBasket,
  withItem,
  withoutItem,
} from "../../resources/checkouts/basket.ts";
import { openCheckout } from "../../resources/checkouts/open-checkout.ts";
import { priceItems } from "../../resources/checkouts/quote.ts";
import type { Quote } from "../../resources/discounts/discount.ts";
import { readBilling } from "../../resources/invoices/billing.ts";
import { findHeldLicense } from "../../resources/licenses/used.ts";
import type { CheckoutDependencies } from "../../resources/orders/checkout.ts";
import { normalEmail } from "../../resources/users/accounts.ts";
import { isTimeZone } from "../../resources/users/mail-preferences.ts";
import type { ReadAssets } from "../assets.ts";
import { siteDocument } from "../html/document.ts";
import { type BuyerInput, basketMain } from "./html.ts";

const cookieAttributes = "Path=/; Secure; SameSite=Lax; Max-Age=2592000";
/** The limit of bodies. Forms have few fields. */
const maxBodyBytes = 6_000;
/**
 * The limit of a network's checkouts without an account. A checkout may reserve exclusive licenses, and sends a mail
 * to any address.
 */
const strangers = { burst: 10, perSecond: 1 / 60 };
/** The limit of discount codes of a network, against guesses. */
const triedCodes = { burst: 30, perSecond: 1 / 10 };
const maxCodeLength = 100;

export interface BasketRouteParts {
  checkout: CheckoutDependencies;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  catalogue: Pick<CatalogueVersion, "bump">;
  /** The signed-in account; null for strangers. */
  findAccount(headers: Headers): Promise<Account | null>;
  readAssets: ReadAssets;
}

/**
 * `/basket`: the basket of the browser or of the signed-in account, and its checkout. Works without scripts, and with
 * an address instead of an account.
 */
export function basketRoutes(parts: BasketRouteParts): Route[] {
  const { concurrency } = parts;
  const limits = new TokenBuckets(parts.checkout.clock, strangers);
  const codes = new TokenBuckets(parts.checkout.clock, triedCodes);
  const work = (context: RequestContext, run: () => Promise<Content>) =>
    concurrency.run("page", run, context.receivedMs);
  const form = { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } } as const;
  return [
    openRoute("/basket", (context) => work(context, () => showWithCode(parts, codes, context)), { isVital: true }),
    openRoute("/basket/items", (context) => work(context, () => listItems(parts, context)), { isVital: true }),
    openRoute("/basket", (context) => work(context, () => change(parts, context)), form),
    openRoute("/basket/checkout", (context) => work(context, () => pay(parts, limits, context)), form),
  ];
}

const privateHeaders = { "cache-control": "private, no-store", vary: `Accept, Accept-Encoding, ${languageVary}` };

const redirect = (location: string): HttpResponse => ({ status: 303, headers: { ...privateHeaders, location } });

const accountOf = async ({ findAccount }: BasketRouteParts, context: RequestContext): Promise<Account | null> => {
  const account = await findAccount(context.webHeaders);
  return account && permittedAccount(account, "orders:write");
};

const setCookie = (items: readonly BasketItem[]): string =>
  items.length === 0
    ? `${basketCookie}=; Path=/; Secure; SameSite=Lax; Max-Age=0`
    : `${basketCookie}=${formatBasket(items)}; ${cookieAttributes}`;

/** The basket of the account, including the browser's items from before the sign-in; or the browser's basket. */
async function basketOf(
  parts: BasketRouteParts,
  context: RequestContext,
  account: Account | null,
): Promise<BasketItem[]> {
  const ofBrowser = basketInCookies(context.requestHeaders.cookie ?? "");
  if (account === null) return ofBrowser;
  const { db, clock } = parts.checkout;
  if (ofBrowser.length > 0) {
    await addToBasket(db, account.userId, ofBrowser, new Date(clock.nowMs()));
    context.setCookies([setCookie([])]);
  }
  return findBasket(db, account.userId);
}

const shownOf = (
  { checkout: { db, clock, currency } }: BasketRouteParts,
  items: readonly BasketItem[],
  account: Account | null,
): Promise<PricedItem[]> =>
  showBasket(db, items, { userId: account?.userId ?? null, currency, now: new Date(clock.nowMs()) });

/** Responds with the items. The header of every page shows their number. */
async function listItems(parts: BasketRouteParts, context: RequestContext): Promise<Content> {
  const items = await basketOf(parts, context, await accountOf(parts, context));
  return {
    status: 200,
    headers: { ...privateHeaders, "content-type": "application/json" },
    body: JSON.stringify({
      items: items.map(({ beatId, licenseType }) => ({ beat_id: beatId, license_type: licenseType })),
    }),
  };
}

/** Responds with the page of the basket, with the discount code of the form; 429 for too many codes of a network. */
async function showWithCode(parts: BasketRouteParts, codes: TokenBuckets, context: RequestContext): Promise<Content> {
  const code = codeOf(new URLSearchParams(context.query));
  if (code === "" || codes.take(clientNetwork(context.clientAddress))) return show(parts, context, { code });
  return show(parts, context, {
    status: 429,
    problem: readerLocale(context).t("basket.tooManyCodes"),
  });
}

const codeOf = (fields: URLSearchParams): string => (fields.get("code") ?? "").trim().slice(0, maxCodeLength);

/** The quote for the items that are on sale. Without an account, uses the typed e-mail address if it is valid. */
async function quoteOf(
  { checkout: { db, clock, currency } }: BasketRouteParts,
  items: readonly PricedItem[],
  { account, email, code }: { account: Account | null; email: string; code: string },
): Promise<Quote> {
  return priceItems(
    db,
    items.filter(({ isOnSale }) => isOnSale),
    {
      buyer: { userId: account?.userId ?? null, email: account?.email ?? addressOf(email) },
      code: code === "" ? null : code,
      currency,
      now: new Date(clock.nowMs()),
    },
  );
}

function addressOf(email: string): string | null {
  try {
    return normalEmail(email);
  } catch {
    return null;
  }
}

async function show(
  parts: BasketRouteParts,
  context: RequestContext,
  { status = 200, problem = null, input = emptyInput, code = "" }: ShownProblem = {},
): Promise<Content> {
  const { checkout, readAssets } = parts;
  const account = await accountOf(parts, context);
  const items = await basketOf(parts, context, account);
  const basket = await shownOf(parts, items, account);
  const quote = await quoteOf(parts, basket, { account, email: input.email, code });
  const { currency } = checkout;
  const locale = readerLocale(context);
  const { representation, headers } = siteDocument(await readAssets(), locale, {
    title: locale.t("basket.title"),
    canonical: null,
    main: basketMain(locale, { items: basket, quote, code, currency, hasAccount: account !== null, problem, input }),
  });
  return {
    status,
    headers: { ...headers, ...privateHeaders, "content-type": representation.contentType },
    body: representation.body,
  };
}

interface ShownProblem {
  status?: number;
  problem?: string | null;
  input?: BuyerInput;
  code?: string;
}

const emptyInput: BuyerInput = {
  email: "",
  name: "",
  billing: { name: "", address: "", country: "", vatId: "" },
};

function readInput(fields: URLSearchParams): BuyerInput {
  const text = (name: string) => fields.get(name) ?? "";
  return {
    email: text("email"),
    name: text("name").trim(),
    billing: {
      name: text("billing_name"),
      address: text("billing_address"),
      country: text("billing_country"),
      vatId: text("billing_vat_id"),
    },
  };
}

const fieldsOf = ({ body }: RequestContext): URLSearchParams => new URLSearchParams(body?.toString("utf8"));

/** Adds an item, changes its license, or removes it. */
async function change(parts: BasketRouteParts, context: RequestContext): Promise<Content> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const fields = fieldsOf(context);
  const account = await accountOf(parts, context);
  const { db, clock } = parts.checkout;
  const removedBeatId = Number(fields.get("remove") ?? 0);
  const item = removedBeatId === 0 ? readItem(fields) : null;
  const upgrades = item?.upgrades ?? null;
  // The account identifies the holder of a license.
  if (upgrades !== null && account === null)
    return redirect(`/portal/sign-in?next=${encodeURIComponent(`/licenses/${upgrades}`)}`);
  if (upgrades !== null) await findHeldLicense(db, upgrades, account?.userId ?? 0);
  const basket = await basketOf(parts, context, account);
  const newBasket = item === null ? withoutItem(basket, removedBeatId) : withItem(basket, item);
  requireRoom(newBasket);
  if (account === null) context.setCookies([setCookie(newBasket)]);
  else if (item === null) await removeFromBasket(db, account.userId, [removedBeatId]);
  else await addToBasket(db, account.userId, [item], new Date(clock.nowMs()));
  return redirect("/basket");
}

function readItem(fields: URLSearchParams): BasketItem {
  const [beatId, licenseType, shownCents] = ["beat_id", "license_type", "price"].map((name) => fields.get(name) ?? "");
  const type = licenseTypes.find((candidate) => candidate === licenseType);
  if (!/^[1-9]\d{0,8}$/.test(beatId ?? "") || type === undefined || !/^\d{1,9}$/.test(shownCents ?? ""))
    throw invalidRequest(
      "The form names a beat, one of its licenses and its price in cents: open the beat's page again.",
    );
  return {
    beatId: Number(beatId),
    licenseType: type,
    shownCents: Number(shownCents),
    upgrades: fields.get("upgrades"),
  };
}

/** Opens a checkout of the items on sale, and redirects to its page. An error is shown with the basket. */
async function pay(parts: BasketRouteParts, limits: TokenBuckets, context: RequestContext): Promise<Content> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const { checkout: dependencies, catalogue } = parts;
  const { db } = dependencies;
  const fields = fieldsOf(context);
  const input = readInput(fields);
  const zone = fields.get("time_zone") ?? "";
  const code = codeOf(fields);
  const account = await accountOf(parts, context);
  const locale = readerLocale(context);
  const items = await shownOf(parts, await basketOf(parts, context, account), account);
  const onSale = items.filter(({ isOnSale }) => isOnSale);
  try {
    if (onSale.length === 0) return redirect("/basket");
    if (account === null && !limits.take(clientNetwork(context.clientAddress))) throw tooMany();
    const quote = await quoteOf(parts, items, { account, email: input.email, code });
    if (fields.get("total") !== String(quote.totalCents))
      return await show(parts, context, { status: 409, problem: locale.t("basket.priceChanged"), input, code });
    const billing = account === null ? readBilling(input.billing) : null;
    const checkout = await openCheckout(dependencies, {
      userId: account?.userId ?? null,
      email: account?.email ?? normalEmail(input.email),
      buyerName: input.name === "" ? undefined : input.name,
      timeZone: isTimeZone(zone) ? zone : undefined,
      language: locale.language,
      billing,
      items: onSale,
      expectedCents: quote.totalCents,
      successUrl: null,
      cancelUrl: null,
      // The page has already explained why a code has no effect.
      discountCode: code === "" || quote.codeProblem !== null ? null : code,
      run: null,
      requestId: context.requestId,
    });
    if (onSale.some(({ licenseType }) => licenseType === "exclusive")) catalogue.bump();
    if (account === null) context.setCookies([setCookie([])]);
    else
      await removeFromBasket(
        db,
        account.userId,
        onSale.map(({ beatId }) => beatId),
      );
    return redirect(checkout.url ?? "/basket");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return show(parts, context, { status: error.status, problem: problemText(locale, error), input, code });
  }
}

const tooMany = (): ApiError =>
  new ApiError(429, "rate_limit_exceeded", "Too many payments", locales.en.t("basket.tooMany"), {
    headers: { "retry-after": "60" },
    refusedBy: "limit:payments",
  });
