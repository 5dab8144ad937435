import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { facturX } from "@beatmarket/documents/factur-x.ts";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { textOfPdf } from "@beatmarket/documents/testing/text-of-pdf.ts";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, expect, it } from "vitest";
import { testSeller } from "../../../../test/harness/seller.ts";
import type { Invoice } from "../invoice.ts";
import { facturXInvoice } from "./invoice-document.ts";
import { printInvoice } from "./printer.ts";

const printer = new DocumentPrinter();
const pdfium = await PDFiumLibrary.init();
afterAll(async () => {
  await printer.close();
  pdfium.destroy();
});

const tax = { name: "VAT", country: "DE", basisPoints: 1_900 };
const invoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  id: 1,
  kind: "invoice",
  year: 2026,
  number: 42,
  orderId: 1042,
  amountCents: 2_990,
  taxCents: 477,
  currency: "EUR",
  corrects: null,
  issuedAt: new Date("2026-11-27T12:00:00Z"),
  facts: {
    seller: testSeller,
    buyer: { name: "Zoë & <Söhne>", address: ["Weg 1", "8000 Zürich"], country: "CH", vatId: null },
    line: { orderId: 1042, title: "Midnight\u0000", producerName: "نور", licenseType: "premium" },
    tax,
  },
  ...overrides,
});
const invoiceWithoutTax = invoice({ taxCents: 0, facts: { ...invoice().facts, tax: null } });
const creditNote = invoice({
  kind: "credit_note",
  number: 3,
  corrects: { name: "INV-2026-000042", issuedAt: new Date(0) },
});

const textOf = (pdf: Uint8Array): Promise<string> => textOfPdf(pdfium, pdf);

const latin1 = (pdf: Uint8Array): string => Buffer.from(pdf).toString("latin1");

/** The content of the files that Typst embedded in a PDF. */
const attachmentsOf = (pdf: Uint8Array): string[] =>
  [...latin1(pdf).matchAll(/<<([^>]*\/Type \/EmbeddedFile.*?)>>\nstream\n(.*?)\nendstream/gs)].map(
    ([, dictionary, bytes]) => {
      const stream = Buffer.from(bytes ?? "", "latin1");
      return (dictionary?.includes("FlateDecode") ? inflateSync(stream) : stream).toString("utf8");
    },
  );

it("an invoice shows seller, buyer, line, net, tax and total", async () => {
  const text = await textOf(await printInvoice(printer, invoice(), { isCopy: false }));
  for (const part of [
    ...[
      "Invoice",
      "INV-2026-000042",
      "Beats GmbH",
      "10115 Berlin",
      "VAT number DE123456789",
      "Zoë & <Söhne>",
      "8000 Zürich",
    ],
    ...[
      "Midnight",
      "premium license",
      "25.13 EUR",
      "VAT 19 % (DE)",
      "4.77 EUR",
      "29.90 EUR",
      "The price includes the tax.",
    ],
  ])
    expect(text).toContain(part);
});

it("an invoice without a tax has no tax line, and a credit note names the corrected invoice", async () => {
  const text = await textOf(await printInvoice(printer, invoiceWithoutTax, { isCopy: false }));
  expect(text).toContain("No tax is charged.");
  expect(text).not.toMatch(/Net|VAT \d/);
  const note = await textOf(await printInvoice(printer, creditNote, { isCopy: false }));
  expect(note).toContain("Credit note");
  expect(note).toContain("This corrects invoice INV-2026-000042 of 1 January 1970, 00:00 UTC.");
});

it("an invoice is a Factur-X file: PDF/A-3 with the profile in the metadata and the invoice as XML", async () => {
  const pdf = await printInvoice(printer, invoice(), { isCopy: false });
  const text = latin1(pdf);
  expect(text).toContain("pdfaid:part>3<");
  for (const part of [
    "<fx:ConformanceLevel>EN 16931<",
    "<fx:DocumentFileName>factur-x.xml<",
    "/AFRelationship /Alternative",
  ])
    expect(text).toContain(part);
  expect(attachmentsOf(pdf)).toEqual([facturX(facturXInvoice(invoice()))]);
  // The trailer points to the last cross-reference section, which has the changed metadata.
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, id, offset] =
    /^xref\n0 1\n0000000000 65535 f\r\n(\d+) 1\n(\d{10}) 00000 n\r\n/.exec(text.slice(start)) ?? [];
  expect(text.slice(Number(offset))).toMatch(new RegExp(`^${id} 0 obj\n<<\n  /Length \\d+\n  /Type /Metadata`));
});

it("the same invoice is printed as the same file", async () => {
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const prints = await Promise.all([1, 2].map(() => printInvoice(printer, invoice(), { isCopy: false })));
  expect(new Set(prints.map(hash)).size).toBe(1);
});

it("the producer's copy has no XML", async () => {
  const pdf = await printInvoice(printer, invoice(), { isCopy: true });
  expect(attachmentsOf(pdf)).toEqual([]);
  expect(latin1(pdf)).not.toContain("fx:ConformanceLevel");
  expect(await textOf(pdf)).toContain("Copy for the producer");
});
