import { join } from "node:path";
import type { PrintableTexts, PrintedDocument } from "@beatmarket/documents/document.ts";
import { breakable, isolated } from "@beatmarket/documents/printable.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { formatDate } from "@beatmarket/foundation/text/date.ts";
import { readBlocks, withNames } from "@beatmarket/license-terms/terms-text.ts";
import { renderSVG } from "uqr";
import type { Certificate } from "../certificate.ts";

/** A license certificate for the printing thread. */
export const document: PrintedDocument<Certificate> = {
  template: join(import.meta.dirname, "certificate.typ"),
  standard: "a-2a",
  dateOf: ({ purchasedAt }) => purchasedAt,
  layout: certificateLayout,
};

/** The data that `certificate.typ` prints. Pure. */
function certificateLayout(certificate: Certificate, print: PrintableTexts) {
  const { id, url, jws, orderId, purchasedAt, terms } = certificate;
  const { clean, name } = print;
  const beat = name(certificate.beatTitle);
  const producer = name(certificate.producerName);
  const buyer = name(certificate.buyerName);
  const files = certificate.files.map(({ kind, filename, bytes, sha256 }) => ({
    kind: clean(kind),
    name: name(filename),
    size: formatBytes(bytes),
    sha256,
  }));
  const names = { beat: isolated(beat.text), producer: isolated(producer.text) };
  const sections = sectionsOf(terms.text, (text) => breakable(withNames(clean(text), names)));
  const issuer = new URL(url).origin;
  return {
    id,
    url,
    issuer,
    keys: `${issuer}/.well-known/jwks.json`,
    qr: renderSVG(url, { border: 0, ecc: "M" }),
    title: `License certificate: ${clean(certificate.beatTitle)}`,
    titleSize: titleSizeOf(beat.text),
    beat,
    producer,
    producerInline: names.producer,
    buyer,
    type: clean(terms.title),
    termsVersion: clean(terms.version),
    order: `No. ${orderId}`,
    date: formatDate(purchasedAt),
    replaces: certificate.replaces ?? null,
    log: certificate.log === null ? null : { leaf: `Leaf ${certificate.log.index}`, origin: certificate.log.origin },
    files,
    sections,
    boxes: print.lacksGlyphs ? " A box (\u25a1) stands for a character that these fonts do not have." : "",
    jws: jws.match(/.{1,120}/g) ?? [],
  };
}

interface Section {
  heading: string | null;
  paragraphs: string[];
  items: string[];
}

function sectionsOf(text: string, prepare: (text: string) => string): Section[] {
  const sections: Section[] = [];
  for (const { kind, text: raw } of readBlocks(text)) {
    const words = prepare(raw);
    const last = sections.at(-1);
    // A paragraph after items begins a section without a heading, so that the blocks keep their order.
    const isNew = last === undefined || kind === "heading" || (kind === "paragraph" && last.items.length > 0);
    const section: Section = isNew ? { heading: null, paragraphs: [], items: [] } : last;
    if (isNew) sections.push(section);
    if (kind === "heading") section.heading = words;
    else (kind === "item" ? section.items : section.paragraphs).push(words);
  }
  return sections;
}

/** The size of the title in points, which is smaller for a long title. */
function titleSizeOf(title: string): number {
  if (title.length <= 24) return 30;
  return title.length <= 60 ? 22 : 15;
}
