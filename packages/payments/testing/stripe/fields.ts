import type Stripe from "stripe";

/** The metadata among the fields of a form. */
export const metadataOf = (fields: URLSearchParams): Stripe.Metadata =>
  Object.fromEntries(
    [...fields].flatMap(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
