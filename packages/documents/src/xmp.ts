// Typst cannot write the metadata of Factur-X, so they are appended to the file (ISO 32000-1, 7.5.6, Incremental
// updates).

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

const values = {
  DocumentType: "INVOICE",
  DocumentFileName: "factur-x.xml",
  Version: "1.0",
  ConformanceLevel: "EN 16931",
} as const;

const descriptions: Record<keyof typeof values, string> = {
  DocumentFileName: "The name of the embedded XML document",
  DocumentType: "The type of the hybrid document in capital letters",
  Version: "The version of the standard that applies to the embedded XML document",
  ConformanceLevel: "The conformance level of the embedded XML document",
};

/** PDF/A-3 requires a description of every property that PDF/A does not define. */
const schema = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${Object.entries(
  descriptions,
)
  .map(
    ([name, description]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  )
  .join("")}</rdf:Seq></pdfaSchema:property></rdf:li>`;

const properties = `<rdf:Description rdf:about="" xmlns:fx="${namespace}">${Object.entries(values)
  .map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`)
  .join("")}</rdf:Description>`;

/**
 * Marks a PDF from Typst as a Factur-X invoice in its metadata. Throws if the PDF does not have the expected structure.
 */
export function withFacturXMetadata(pdf: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString("latin1");
  const typeAt = text.indexOf("/Type /Metadata");
  const objectAt = text.lastIndexOf(" 0 obj\n", typeAt);
  const id = text.slice(text.lastIndexOf("\n", objectAt) + 1, objectAt);
  const old = textBetween(text, "\nstream\n", "\nendstream", typeAt);
  const trailerAt = text.lastIndexOf("trailer\n");
  const dictionary = textBetween(text, "trailer\n", "\nstartxref\n", trailerAt);
  const start = textBetween(text, "\nstartxref\n", "\n", trailerAt);
  const bagEnd = "</rdf:Bag></pdfaExtension:schemas>";
  if (!old.includes(bagEnd) || dictionary === "")
    throw new Error("The PDF from Typst lacks PDF/A extension schemas in its XMP metadata, or a trailer.");
  const xmp = old.replace(bagEnd, `${schema}${bagEnd}`).replace("</rdf:RDF>", `${properties}</rdf:RDF>`);
  const object = `\n${id} 0 obj\n<<\n  /Length ${xmp.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n${xmp}\nendstream\nendobj\n`;
  // The object begins after a line break.
  const offset = pdf.length + 1;
  const table = `xref\n0 1\n0000000000 65535 f\r\n${id} 1\n${String(offset).padStart(10, "0")} 00000 n\r\n`;
  const end = `trailer\n${dictionary.replace(/>>$/, `  /Prev ${start}\n>>`)}\nstartxref\n${pdf.length + object.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([pdf, Buffer.from(object + table + end, "latin1")]));
}

/** The text between two marks. Searches from `from` on. Empty if a mark is missing or `from` is -1. */
function textBetween(text: string, first: string, second: string, from: number): string {
  const offset = text.indexOf(first, from) + first.length;
  const end = text.indexOf(second, offset);
  return from === -1 || offset < first.length || end === -1 ? "" : text.slice(offset, end);
}
