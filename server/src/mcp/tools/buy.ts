import { createHmac, timingSafeEqual } from "node:crypto";
import { Confirmation, clipped, type Desk, dataOf, Refusal, type Tool } from "@beatmarket/agent-tools/tool.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import Type from "typebox";
import { randomUuid } from "../../access/random-source.ts";
import { type BeatDetails, BeatId } from "./beats.ts";

export const buy = (quotes: Quotes): Tool => ({
  name: "buy",
  description:
    "Buy a quoted license. Without `payment_method` it returns a page on which the person pays. With one, the person confirms first, and the key's spending cap applies.",
  isReadOnly: false,
  input: Type.Object({
    quote: Type.String({ maxLength: 2_000, description: "The `quote` that the tool `quote` returned." }),
    payment_method: Type.Optional(
      Type.String({ maxLength: 100, description: "The id of a payment method, such as 'pm_card_visa'." }),
    ),
  }),
  call: async ({ quote: sealed, payment_method }, desk) => {
    const quote = quotes.open(String(sealed), desk.caller.keyId, desk.nowMs);
    if (quote === null)
      throw new Refusal(
        "The quote is not one of this key, or it has expired. Nothing was bought: get another one with quote.",
      );
    const capCents = desk.caller.spendingCapCents;
    if (capCents === undefined)
      throw new Refusal(
        "This key has no spending cap, and agents buy only within one. Nothing was bought: set a spending cap on the key in the developer portal, under API keys.",
      );
    if (Math.round(quote.price * 100) > capCents)
      throw new Refusal(
        `The license costs ${priceText(quote)}, and this key may spend ${formatAmount(capCents, quote.currency)} in 30 days. Nothing was bought: raise the key's spending cap in the developer portal, or choose another license.`,
      );
    return payment_method === undefined ? openPage(quote, desk) : order(quote, String(payment_method), desk);
  },
});

/** Opens a checkout. No question is needed, because the person confirms by paying on the page. */
async function openPage(quote: Quote, { request }: Desk): Promise<object> {
  const { checkout } = dataOf(
    await request({
      method: "POST",
      url: "/v1/checkouts",
      headers: { "idempotency-key": `mcp-checkout-${quote.id}` },
      body: { items: [{ beat_id: quote.beatId, license_type: quote.licenseType }] },
    }),
  ) as { checkout: Record<string, unknown> };
  return {
    status: "waiting_for_payment",
    page: checkout.url,
    checkout_id: checkout.id,
    amount: checkout.amount,
    currency: checkout.currency,
    expires_at: checkout.expires_at,
    next: "Give the page to the person, who pays there. Nothing is bought before the payment.",
  };
}

async function order(quote: Quote, paymentMethod: string, desk: Desk): Promise<object | Confirmation> {
  if (!desk.canAsk)
    throw new Refusal(
      "A person has to confirm this purchase, and this client cannot ask one. Nothing was bought: call buy without payment_method, and give its page to the person.",
    );
  const confirmation = desk.confirmation(quote.id);
  if (confirmation === "declined") throw new Refusal("The person did not confirm the purchase. Nothing was bought.");
  if (confirmation === "unasked")
    return new Confirmation(
      quote.id,
      `Buy the ${quote.licenseType} license of “${quote.title}” for ${priceText(quote)}? The payment method ${paymentMethod} is charged.`,
    );
  const placed = dataOf(
    await desk.request({
      method: "POST",
      url: "/v1/orders",
      headers: { "idempotency-key": `mcp-order-${quote.id}` },
      body: {
        beat_id: quote.beatId,
        license_type: quote.licenseType,
        payment_method: paymentMethod,
        expected_amount: quote.price,
        currency: quote.currency,
      },
    }),
  ).order as Record<string, unknown>;
  return {
    order_id: placed.id,
    status: placed.status,
    amount: placed.amount,
    currency: placed.currency,
    ...(placed.failure_reason !== null && { failure_reason: placed.failure_reason }),
    next:
      placed.status === "completed"
        ? "The files are in the library of the developer portal, and at GET /v1/orders/{order_id}/files."
        : "GET /v1/orders/{order_id} says how the payment ends.",
  };
}

const priceText = ({ price, currency }: Quote): string => formatAmount(Math.round(price * 100), currency);

/** An offer of a license at a price, valid until it expires. `buy` places an order only at this price. */
interface Quote {
  /** A unique id for Idempotency-Keys, so that a repeated call with the quote buys nothing twice. */
  id: string;
  keyId: number;
  beatId: number;
  title: string;
  licenseType: string;
  /** The price in the main unit of the currency, like in the API. */
  price: number;
  currency: string;
  /** Unix seconds. */
  expiresAt: number;
}

/**
 * Signs quotes in the form `base64url(JSON).signature`, so that they need not be stored. The first secret signs. Quotes
 * signed with the previous secrets stay valid until they expire.
 */
export class Quotes {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];

  constructor(secrets: () => readonly [current: string, ...previous: string[]]) {
    this.#secrets = secrets;
  }

  seal(quote: Quote): string {
    const text = Buffer.from(JSON.stringify(quote)).toString("base64url");
    return `${text}.${signatureOf(this.#secrets()[0], text)}`;
  }

  /** The valid quote of a key; null for an expired quote, another key's quote, and any other text. */
  open(sealed: string, keyId: number, nowMs: number): Quote | null {
    const [text = "", signature = ""] = sealed.split(".");
    if (!this.#secrets().some((secret) => isEqual(signature, signatureOf(secret, text)))) return null;
    const quote = JSON.parse(Buffer.from(text, "base64url").toString()) as Quote;
    return quote.keyId === keyId && quote.expiresAt * 1_000 > nowMs ? quote : null;
  }
}

const signatureOf = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(`quote of an agent\n${text}`).digest("base64url");

const isEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const validMs = 15 * 60_000;
const licenseTypes = ["basic", "premium", "unlimited", "exclusive"];

export const quote = (quotes: Quotes, currency: string): Tool => ({
  name: "quote",
  description: "Get the price of a license, valid for 15 minutes. Show it to the person; `buy` needs it.",
  isReadOnly: true,
  input: Type.Object({
    beat_id: BeatId,
    license_type: Type.Enum(licenseTypes, { default: "basic" }),
  }),
  call: async ({ beat_id, license_type }, { request, caller, nowMs }) => {
    const data = dataOf(await request({ method: "GET", url: `/v1/beats/${beat_id}` }));
    const beat = data.beat as BeatDetails;
    const license = beat.licenses.find(({ type }) => type === license_type);
    if (license?.available !== true)
      throw new Refusal(
        `The ${license_type} license of beat ${beat_id} is not for sale. get_beat lists the licenses that are.`,
      );
    const expiresAt = Math.floor((nowMs + validMs) / 1_000);
    const title = clipped(beat.title, 80);
    const terms = { title, price: license.price, currency };
    return {
      quote: quotes.seal({
        id: randomUuid(),
        keyId: caller.keyId,
        beatId: Number(beat_id),
        licenseType: license.type,
        ...terms,
        expiresAt,
      }),
      beat_id,
      license_type,
      ...terms,
      expires_at: new Date(expiresAt * 1_000).toISOString().replace(".000", ""),
    };
  },
});

const maxTextLength = 200;
const fields = ["id", "status", "type", "beat", "producer", "purchased_at", "issued_at", "refunded_at", "url"];

export const checkLicense: Tool = {
  name: "check_license",
  description: "Check whether a license certificate is genuine and still valid, by the id on it.",
  isReadOnly: true,
  input: Type.Object({ license_id: Type.String({ minLength: 1, maxLength: 100, pattern: "^[\\w-]+$" }) }),
  call: async ({ license_id }, { request }) => {
    const { license } = dataOf(await request({ method: "GET", url: `/licenses/${license_id}` })) as {
      license: Record<string, unknown>;
    };
    return Object.fromEntries(
      Object.entries(license)
        .filter(([name]) => fields.includes(name))
        .map(([name, value]) => [name, typeof value === "string" ? clipped(value, maxTextLength) : value]),
    );
  },
};
