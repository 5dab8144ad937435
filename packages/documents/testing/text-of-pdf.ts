import type { PDFiumLibrary } from "@hyzyla/pdfium";

/** The text of all pages, on one line. */
export async function textOfPdf(pdfium: PDFiumLibrary, pdf: Uint8Array): Promise<string> {
  const document = await pdfium.loadDocument(pdf);
  try {
    return [...document.pages()]
      .map((page) => page.getText())
      .join("\n")
      .replace(/\s+/g, " ");
  } finally {
    document.destroy();
  }
}
