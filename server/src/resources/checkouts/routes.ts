import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { Static } from "typebox";
import type { CheckoutDependencies } from "../orders/checkout.ts";
import { normalEmail } from "../users/accounts.ts";
import { openCheckout } from "./open-checkout.ts";
import {
  CheckoutCreatedResponse,
  CheckoutId,
  CheckoutRequest,
  CheckoutResponse,
  checkoutConsole,
  checkoutReference,
  QuoteRequest,
  QuoteResponse,
  quoteConsole,
  quoteReference,
} from "./present.ts";
import { findCheckout } from "./queries.ts";
import { quotePurchase } from "./quote.ts";
import type { RequestedItem } from "./upgrade-items.ts";

export const checkoutRoutes = (dependencies: CheckoutDependencies) => [
  route({
    operationId: "createCheckout",
    client: "checkouts.create",
    method: "POST",
    path: "/checkouts",
    tag: "Checkouts",
    summary: "Open a checkout",
    description:
      "Opens one payment of one or more licenses and returns its page, on which a person pays. If one of the licenses is not for sale, nothing is held or charged, and the error names the license. The payment creates the orders.",
    permission: "orders:write",
    body: CheckoutRequest,
    response: CheckoutCreatedResponse,
    present: { reference: checkoutReference, console: checkoutConsole },
    changesContent: ({ items }) => items.some(({ license_type }) => license_type === "exclusive"),
    idempotent: true,
    location: ({ id }) => `/checkouts/${id}`,
    examples: {
      success: {
        body: {
          items: [
            { beat_id: 1, license_type: "premium" },
            { beat_id: 2, license_type: "basic" },
          ],
          email: "buyer@example.com",
        },
      },
      invalid: { body: { items: [] } },
      missing: { body: { items: [{ beat_id: 999999 }] } },
      conflict: { body: { items: [{ beat_id: 1 }], discount_code: "SUMMER-2019" } },
    },
    handle: ({ caller, requestId, body, idempotencyRun }) => {
      const request = readCheckoutRequest(body);
      return openCheckout(dependencies, { ...request, userId: caller.userId, run: idempotencyRun, requestId });
    },
  }),
  route({
    operationId: "getCheckout",
    client: "checkouts.get",
    method: "GET",
    path: "/checkouts/:checkout_id",
    tag: "Checkouts",
    summary: "Get one of your checkouts",
    description:
      "Returns a checkout of the key's account, with its orders once it is paid. A checkout of another account is 404.",
    permission: "orders:write",
    params: CheckoutId,
    response: CheckoutResponse,
    present: { reference: checkoutReference, console: checkoutConsole },
    examples: {
      success: { parameters: { checkout_id: 1 } },
      invalid: { parameters: { checkout_id: "latest" } },
      missing: { parameters: { checkout_id: 999999 } },
    },
    handle: ({ db, caller, params }) => findCheckout(db, caller.userId, params.checkout_id),
  }),
  route({
    operationId: "createQuote",
    client: "quotes.create",
    method: "POST",
    path: "/quotes",
    tag: "Checkouts",
    summary: "Ask for a quote",
    description:
      "Returns the amount that a checkout of the items would charge, and every discount that was considered, with the reason why it applies or not. Nothing is held, charged or stored.",
    permission: "orders:write",
    body: QuoteRequest,
    response: QuoteResponse,
    present: { reference: quoteReference, console: quoteConsole },
    examples: {
      success: {
        body: {
          items: [
            { beat_id: 1, license_type: "premium" },
            { beat_id: 2, license_type: "basic" },
          ],
          discount_code: "SUMMER-2019",
        },
      },
      invalid: { body: { items: [] } },
      missing: { body: { items: [{ beat_id: 999999 }] } },
      conflict: { body: { items: [{ beat_id: 502 }] } },
    },
    handle: ({ db, caller, body }) => {
      const { items, email, discountCode: code } = readQuoteRequest(body);
      const { clock, currency } = dependencies;
      const buyer = { userId: caller.userId, email };
      return quotePurchase(db, items, { buyer, code, currency, now: new Date(clock.nowMs()) });
    },
  }),
];

/** Reads the items, address and code of a request. Throws 400 naming the field. */
function readQuoteRequest({ items, email, discount_code }: Static<typeof QuoteRequest>) {
  return {
    items: readItems(
      items.map(({ beat_id, license_type = "basic", upgrades_license = null }) => ({
        beatId: beat_id,
        licenseType: license_type,
        upgrades: upgrades_license,
      })),
    ),
    email: email === undefined ? null : normalEmail(email),
    discountCode: discount_code ?? null,
  };
}

/** Reads the request of a checkout. Throws 400 naming the field. */
function readCheckoutRequest({ success_url, cancel_url, ...basket }: Static<typeof CheckoutRequest>) {
  return {
    ...readQuoteRequest(basket),
    successUrl: readAddress("success_url", success_url),
    cancelUrl: readAddress("cancel_url", cancel_url),
  };
}

/** Throws 400 if a beat appears twice: the larger of two licenses includes the other. */
function readItems(items: readonly RequestedItem[]): readonly RequestedItem[] {
  const repeatedItem = items.find(({ beatId }, place) => items.findIndex((other) => other.beatId === beatId) !== place);
  if (repeatedItem !== undefined)
    throw invalidRequest(
      `items: beat ${repeatedItem.beatId} is there twice. A checkout has one license of a beat; take the one that grants more.`,
      "items",
    );
  return items;
}

function readAddress(field: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalidRequest(
      `${field}: ${JSON.stringify(text.slice(0, 200))} is not a web address such as https://shop.example/thanks.`,
      field,
    );
  return text;
}
