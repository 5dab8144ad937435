import { expect, it } from "vitest";
import { type FacturXInvoice, facturX } from "./factur-x.ts";

const taxed: FacturXInvoice = {
  kind: "invoice",
  name: "INV-2026-000042",
  issuedAt: new Date("2026-11-27T12:00:00Z"),
  corrects: null,
  currency: "EUR",
  amountCents: 2_990,
  taxCents: 477,
  tax: { basisPoints: 1_900 },
  seller: {
    name: "Beats GmbH",
    address: ["Musterstraße 1", "10115 Berlin"],
    country: "DE",
    vatId: "DE123456789",
    taxNumber: null,
    id: "beats.example.com",
  },
  buyer: { name: "Zoë & <Söhne>", address: ["Weg 1", "8000 Zürich"], country: "CH", vatId: null },
  line: { title: "Midnight\u0000", description: "premium license, prod. by نور", orderId: 1042 },
};
const untaxed: FacturXInvoice = { ...taxed, taxCents: 0, tax: null };
const creditNote: FacturXInvoice = {
  ...taxed,
  kind: "credit_note",
  name: "CN-2026-000003",
  corrects: { name: "INV-2026-000042", issuedAt: new Date(0) },
};

/** The text of the first element of this name. */
const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<ram:${name}[^>]*>([^<]*)<`).exec(xml)?.[1];

it("an invoice is XML with balanced elements, escaped texts and consistent sums", () => {
  for (const each of [taxed, untaxed, creditNote]) {
    const xml = facturX(each);
    const open: string[] = [];
    for (const [, isEnd, name = ""] of xml.matchAll(/<(\/?)([\w:]+)[^>]*>/g))
      if (isEnd === "/") expect(open.pop()).toBe(name);
      else open.push(name);
    expect(open).toEqual([]);
    expect(xml).toContain("Zoë &amp; &lt;Söhne&gt;");
    expect(xml).not.toContain("\u0000");
    const cents = (name: string) => Math.round(Number(textIn(xml, name)) * 100);
    expect(cents("TaxBasisTotalAmount") + cents("TaxTotalAmount")).toBe(cents("GrandTotalAmount"));
    expect([cents("LineTotalAmount"), cents("CalculatedAmount")]).toEqual([
      each.amountCents - each.taxCents,
      each.taxCents,
    ]);
    expect(textIn(xml, "TypeCode")).toBe(each.kind === "invoice" ? "380" : "381");
  }
});

it("an invoice without tax has no tax number of the seller (BR-O-02)", () => {
  expect(facturX(untaxed)).not.toContain("SpecifiedTaxRegistration");
  expect(facturX(taxed)).toContain('<ram:ID schemeID="VA">DE123456789</ram:ID>');
});
