import { expect, test } from "vitest";
import { apiDocument, apiOperations } from "../../harness/documents/promised-responses.ts";

// API3:2023 Broken object property level authorization.

test("no object that the API answers has room for what is private, and none is open for more", () => {
  const secret = /e_?mail|password|hash|secret|token|payment_key|payment_reference|ip_address|client_address|plan$/;
  const seen = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    if (Array.isArray(schema)) {
      for (const each of schema) walk(each);
      return;
    }
    const { properties, additionalProperties, example, examples, ...rest } = schema as Record<string, unknown>;
    if (typeof properties === "object" && properties !== null) {
      for (const name of Object.keys(properties)) seen.add(name);
      // Absent, since fields may be added; what a response has beyond these fails the tests of the contract.
      expect(additionalProperties ?? false, JSON.stringify(Object.keys(properties))).toBe(false);
      Object.values(properties).forEach(walk);
    }
    Object.values(rest).forEach(walk);
  };
  for (const { responses } of apiOperations) walk(responses);
  walk(apiDocument.components.schemas);
  expect(seen.size).toBeGreaterThan(40);
  // Stripe's, made for the browser of the buyer whose order it is, and gone with the payment; and the buyer's address,
  // which requests of a checkout and of a quote have and no response.
  expect([...seen].filter((name) => secret.test(name)).sort()).toEqual(["client_secret", "email"]);
  const ofRequests = Object.entries(apiDocument.components.schemas).filter(
    ([, { properties = {} }]) => "email" in properties,
  );
  expect(ofRequests.map(([name]) => name)).toEqual(["CheckoutRequest", "QuoteRequest"]);
});
