import type { DocumentPrinter } from "../../printing/printer.ts";
import type { Certificate, LicenseParts } from "../certificate.ts";

const printable = { module: new URL("./certificate-document.ts", import.meta.url), name: "license's certificate" };

/** Prints certificates as PDF/A-2a. */
export const certificatePrinter = (printer: Pick<DocumentPrinter, "print">): LicenseParts["printer"] => ({
  print: (certificate: Certificate) => printer.print(printable, certificate),
});
