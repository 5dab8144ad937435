import { createHash } from "node:crypto";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { textOfPdf } from "@beatmarket/documents/testing/text-of-pdf.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import jsqr from "jsqr";
import { afterAll, describe, expect, it } from "vitest";
import { type Certificate, certificatePrinter } from "../certificate.ts";

const documents = new DocumentPrinter();
const printer = certificatePrinter(documents);
const pdfium = await PDFiumLibrary.init();
afterAll(async () => {
  await documents.close();
  pdfium.destroy();
});

const id = "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921";
const certificate = (overrides: Partial<Certificate> = {}): Certificate => ({
  id,
  url: `https://beats.example.com/licenses/${id}`,
  jws: "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl",
  log: null,
  orderId: 1042,
  beatId: 7,
  beatTitle: "Midnight",
  producerId: 3,
  producerName: "Nightowl",
  buyerName: "Bonnie Buyer",
  licenseType: "basic",
  termsVersion: "2026-11-26",
  changedLimits: null,
  terms: { version: "2026-11-26", ...builtInTerms.texts.basic },
  purchasedAt: new Date("2026-11-22T19:10:00Z"),
  files: [{ kind: "mp3", filename: "Midnight.mp3", bytes: 8_400_000, sha256: "0123456789abcdef".repeat(4) }],
  ...overrides,
});

const textOf = (pdf: Uint8Array): Promise<string> => textOfPdf(pdfium, pdf);

/** The content of the QR code on the first page. Decoding takes most of a second. */
async function qrOf(pdf: Uint8Array): Promise<string | undefined> {
  const document = await pdfium.loadDocument(pdf);
  try {
    const { data, width, height } = await document.getPage(0).render({ scale: 1.5, render: "bitmap" });
    return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" })?.data;
  } finally {
    document.destroy();
  }
}

describe("a printed certificate", () => {
  it("shows every part of the license, and its QR code leads to the public page", async () => {
    const pdf = await printer.print(certificate());
    expect(await qrOf(pdf)).toBe(certificate().url);
    const text = await textOf(pdf);
    for (const part of [
      "Midnight",
      "Nightowl",
      "Bonnie Buyer",
      "Basic license",
      "No. 1042",
      "22 November 2026, 19:10 UTC",
      "Version 2026-11-26",
      "Midnight.mp3",
      "0123456789abcdef".repeat(4),
      "8.4 MB",
      "up to 2,000 copies",
      "“Prod. by Nightowl”",
      "A full refund of the order ends this license.",
      `License ${id}`,
      certificate().jws,
    ])
      expect(text).toContain(part);
  });

  it("names the license that it replaces, and omits that line if it replaces none", async () => {
    const replaces = "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c900";
    expect(await textOf(await printer.print(certificate({ replaces })))).toMatch(
      new RegExp(`Replaces the license ${replaces}`, "i"),
    );
    expect(await textOf(await printer.print(certificate()))).not.toMatch(/replaces the license/i);
  });

  it("names the leaf of the sale in the license log, and names no log without a proof", async () => {
    const log = {
      origin: "beats.example.com/licenses/log",
      index: 41,
      size: 57,
      leaf: "",
      proof: [],
      salt: "",
      opening: "",
      checkpoint: "",
    };
    const text = await textOf(await printer.print(certificate({ log })));
    expect(text).toMatch(/License log Leaf 41 of beats\.example\.com\/licenses\/log/i);
    expect(text).toContain("and proves that the sale is in the license log");
    expect(await textOf(await printer.print(certificate()))).not.toMatch(/license log/i);
  });

  it.each([
    ["Latin", "Zoë Ångström"],
    ["Polish", "Żaneta Święta-Łęcka"],
    ["Korean", "김민준"],
    ["Japanese", "山田さくら"],
    ["Hebrew", "שלומית"],
    ["Arabic", "نور"],
    ["emoji", "🎧🔥"],
  ])("shows names in %s unchanged", async (_, name) => {
    const text = await textOf(await printer.print(certificate({ buyerName: name, beatTitle: name })));
    expect(text.split(name).length - 1).toBeGreaterThanOrEqual(2);
  });

  it("is PDF/A-2, with the same bytes for the same facts", async () => {
    const [one, two] = await Promise.all([printer.print(certificate()), printer.print(certificate())]);
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(one)).toBe(hash(two));
    expect(Buffer.from(one).toString("latin1")).toContain("pdfaid:part>2<");
  });
});
