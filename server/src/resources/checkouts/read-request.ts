import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Static } from "typebox";
import { normalEmail } from "../users/accounts.ts";
import type { CheckoutRequest, QuoteRequest } from "./schema.ts";
import type { WantedItem } from "./wanted-items.ts";

/** The checked items, buyer and code of a request. Throws 400 that names the field. */
export function readQuoteRequest({ items, email, discount_code }: Static<typeof QuoteRequest>) {
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

/** The same for a checkout, with its addresses. */
export function readCheckoutRequest({ success_url, cancel_url, ...basket }: Static<typeof CheckoutRequest>) {
  return {
    ...readQuoteRequest(basket),
    successUrl: readAddress("success_url", success_url),
    cancelUrl: readAddress("cancel_url", cancel_url),
  };
}

/** Throws 400 if a beat appears twice: its largest license includes the others. */
function readItems(items: readonly WantedItem[]): readonly WantedItem[] {
  const twice = items.find(({ beatId }, place) => items.findIndex((other) => other.beatId === beatId) !== place);
  if (twice !== undefined)
    throw invalidRequest(
      `items: beat ${twice.beatId} is there twice. A checkout has one license of a beat; take the one that grants more.`,
      "items",
    );
  return items;
}

function readAddress(field: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalidRequest(
      `${field}: ${JSON.stringify(text.slice(0, 200))} is no web address, such as https://shop.example/thanks.`,
      field,
    );
  return text;
}
