import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { type Account, permittedAccount } from "../../access/account.ts";
import { requireOwnForm } from "../../access/own-origin.ts";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { licenseTypes } from "../../resources/beats/licensing/licenses.ts";
import {
  addToBasket,
  type BasketItem,
  findBasket,
  formatBasket,
  parseBasket,
  removeFromBasket,
  requireRoom,
  type ShownItem,
  showBasket,
  withItem,
  withoutItem,
} from "../../resources/checkouts/basket.ts";
import { openCheckout } from "../../resources/checkouts/open-checkout.ts";
import { priceItems } from "../../resources/checkouts/quote.ts";
import type { Quote } from "../../resources/discounts/pricing/rule.ts";
import { readBilling } from "../../resources/invoices/billing.ts";
import type { CheckoutDependencies } from "../../resources/orders/checkout.ts";
import { normalEmail } from "../../resources/users/accounts.ts";
import { isTimeZone } from "../../resources/users/mail-preferences.ts";
import type { ReadAssets } from "../assets.ts";
import { siteDocument } from "../html/document.ts";
import { basketMain, type GivenByBuyer } from "./html.ts";

/** Of the browser of somebody without an account. Scripts read it, to show how much is in it. */
const cookieName = "basket";
const cookieAttributes = "Path=/; Secure; SameSite=Lax; Max-Age=2592000";
/** Forms of a few fields. */
const maxBodyBytes = 6_000;
/** Checkouts of one network without an account: each may hold exclusive licenses, and its mail goes to any address. */
const strangers = { burst: 10, perSecond: 1 / 60 };
/** Discount codes of one network: more is guessing. */
const triedCodes = { burst: 30, perSecond: 1 / 10 };
const maxCodeLength = 100;

export interface BasketRouteParts {
  checkout: CheckoutDependencies;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  catalogue: Pick<CatalogueVersion, "bump">;
  /** Who is signed in; null for strangers. */
  findAccount(headers: Headers): Promise<Account | null>;
  readAssets: ReadAssets;
}

/**
 * `/basket`, the basket of the browser, or of the account that is signed in, and the way to pay for it. Works without scripts and
 * without an account: an address takes the place of one.
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
    openRoute("/basket/items", (context) => work(context, () => count(parts, context)), { isVital: true }),
    openRoute("/basket", (context) => work(context, () => change(parts, context)), form),
    openRoute("/basket/checkout", (context) => work(context, () => pay(parts, limits, context)), form),
  ];
}

const privateHeaders = { "cache-control": "private, no-store", vary: "Accept, Accept-Encoding, Cookie" };

const redirect = (location: string): HttpResponse => ({ status: 303, headers: { ...privateHeaders, location } });

const accountOf = async ({ findAccount }: BasketRouteParts, context: RequestContext): Promise<Account | null> => {
  const account = await findAccount(context.webHeaders);
  return account && permittedAccount(account, "orders:write");
};

function cookieOf({ requestHeaders }: RequestContext): BasketItem[] {
  const pair = (requestHeaders.cookie ?? "").split(/; */).find((one) => one.startsWith(`${cookieName}=`));
  return pair === undefined ? [] : parseBasket(pair.slice(cookieName.length + 1));
}

const setCookie = (items: readonly BasketItem[]): string =>
  items.length === 0
    ? `${cookieName}=; Path=/; Secure; SameSite=Lax; Max-Age=0`
    : `${cookieName}=${formatBasket(items)}; ${cookieAttributes}`;

/** The basket of the account, with what the browser had before the sign-in; or the browser's. */
async function basketOf(
  parts: BasketRouteParts,
  context: RequestContext,
  account: Account | null,
): Promise<BasketItem[]> {
  const ofBrowser = cookieOf(context);
  if (account === null) return ofBrowser;
  const { db, clock } = parts.checkout;
  if (ofBrowser.length > 0) {
    await addToBasket(db, account.userId, ofBrowser, new Date(clock.nowMs()));
    context.setCookies([setCookie([])]);
  }
  return findBasket(db, account.userId);
}

/** How much is in it, for the header of every page. */
async function count(parts: BasketRouteParts, context: RequestContext): Promise<Content> {
  const items = await basketOf(parts, context, await accountOf(parts, context));
  return {
    status: 200,
    headers: { ...privateHeaders, "content-type": "application/json" },
    body: JSON.stringify({
      items: items.map(({ beatId, licenseType }) => ({ beat_id: beatId, license_type: licenseType })),
    }),
  };
}

/** The page, with the code of its form. */
async function showWithCode(parts: BasketRouteParts, codes: TokenBuckets, context: RequestContext): Promise<Content> {
  const code = codeOf(new URLSearchParams(context.query));
  if (code === "" || codes.take(clientNetwork(context.clientAddress))) return show(parts, context, { code });
  return show(parts, context, {
    status: 429,
    problem: "Too many discount codes were tried from your network. Try again in a minute.",
  });
}

const codeOf = (fields: URLSearchParams): string => (fields.get("code") ?? "").trim().slice(0, maxCodeLength);

/** What is to be paid for the items that are on sale. An address counts as soon as it is one. */
async function quoteOf(
  { checkout: { db, clock, currency } }: BasketRouteParts,
  items: readonly ShownItem[],
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
  { status = 200, problem = null, given = nothingGiven, code = "" }: ShownProblem = {},
): Promise<Content> {
  const { checkout, readAssets } = parts;
  const account = await accountOf(parts, context);
  const items = await basketOf(parts, context, account);
  const shown = await showBasket(checkout.db, items, new Date(checkout.clock.nowMs()));
  const quote = await quoteOf(parts, shown, { account, email: given.email, code });
  const { currency } = checkout;
  const { representation, headers } = siteDocument(await readAssets(), {
    title: "Basket",
    canonical: null,
    main: basketMain({ items: shown, quote, code, currency, hasAccount: account !== null, problem, given }),
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
  given?: GivenByBuyer;
  code?: string;
}

const nothingGiven: GivenByBuyer = {
  email: "",
  name: "",
  billing: { name: "", address: "", country: "", vatId: "" },
};

function givenIn(fields: URLSearchParams): GivenByBuyer {
  const text = (name: string) => fields.get(name) ?? "";
  return {
    ...{ email: text("email"), name: text("name").trim() },
    billing: {
      ...{ name: text("billing_name"), address: text("billing_address") },
      ...{ country: text("billing_country"), vatId: text("billing_vat_id") },
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
  const removed = Number(fields.get("remove") ?? 0);
  const item = removed === 0 ? readItem(fields) : null;
  const basket = await basketOf(parts, context, account);
  const changed = item === null ? withoutItem(basket, removed) : withItem(basket, item);
  requireRoom(changed);
  if (account === null) context.setCookies([setCookie(changed)]);
  else if (item === null) await removeFromBasket(db, account.userId, [removed]);
  else await addToBasket(db, account.userId, [item], new Date(clock.nowMs()));
  return redirect("/basket");
}

function readItem(fields: URLSearchParams): BasketItem {
  const [beatId, licenseType, seenCents] = ["beat_id", "license_type", "price"].map((name) => fields.get(name) ?? "");
  const type = licenseTypes.find((one) => one === licenseType);
  if (!/^[1-9]\d{0,8}$/.test(beatId ?? "") || type === undefined || !/^\d{1,9}$/.test(seenCents ?? ""))
    throw invalidRequest(
      "The form names a beat, one of its licenses and its price in cents: open the beat's page again.",
    );
  return { beatId: Number(beatId), licenseType: type, seenCents: Number(seenCents) };
}

/** Opens a checkout of what is on sale, and leads to its page. What went wrong is shown with the basket. */
async function pay(parts: BasketRouteParts, limits: TokenBuckets, context: RequestContext): Promise<Content> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const { checkout: dependencies, catalogue } = parts;
  const { db, clock } = dependencies;
  const fields = fieldsOf(context);
  const given = givenIn(fields);
  const zone = fields.get("time_zone") ?? "";
  const code = codeOf(fields);
  const account = await accountOf(parts, context);
  const items = await showBasket(db, await basketOf(parts, context, account), new Date(clock.nowMs()));
  const onSale = items.filter(({ isOnSale }) => isOnSale);
  try {
    if (onSale.length === 0) return redirect("/basket");
    if (account === null && !limits.take(clientNetwork(context.clientAddress))) throw tooMany();
    const quote = await quoteOf(parts, items, { account, email: given.email, code });
    if (fields.get("total") !== String(quote.totalCents))
      return await show(parts, context, { status: 409, problem: changedPrice, given, code });
    const billing = account === null ? readBilling(given.billing) : null;
    const opened = await openCheckout(dependencies, {
      userId: account?.userId ?? null,
      email: account?.email ?? normalEmail(given.email),
      buyerName: given.name === "" ? undefined : given.name,
      timeZone: isTimeZone(zone) ? zone : undefined,
      billing,
      items: onSale,
      expectedCents: quote.totalCents,
      successUrl: null,
      cancelUrl: null,
      // The page has said why a code takes nothing off.
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
    return redirect(opened.url ?? "/basket");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return show(parts, context, { status: error.status, problem: error.details, given, code });
  }
}

const changedPrice =
  "A price has changed since this page was opened. Nothing was charged: look at the new total, and confirm it.";

const tooMany = (): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many payments",
    "Too many payments were begun from your network. Try again in some minutes, or sign in.",
    { headers: { "retry-after": "60" } },
  );
