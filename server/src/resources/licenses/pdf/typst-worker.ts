import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { formatDate } from "@beatmarket/foundation/text/date.ts";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { renderSVG } from "uqr";
import type { Certificate } from "../certificate.ts";
import { readBlocks, withNames } from "../terms/blocks.ts";
import { type Coverage, fonts, otherFamilies, readCoverage } from "./fonts.ts";
import { breakable, directionOf, isolated, printable } from "./printable.ts";
import type { PrintJob, PrintResult } from "./printer.ts";

/** What `certificate.typ` sets: every text of it is printable by these fonts. Pure. */
function certificateLayout(certificate: Certificate, fonts: readonly Coverage[]) {
  const { id, url, jws, orderId, purchasedAt, terms } = certificate;
  let lacksGlyphs = false;
  const clean = (text: string): string => {
    const printed = printable(text, fonts);
    lacksGlyphs ||= printed.includes("\u25a1") && !text.includes("\u25a1");
    return printed;
  };
  const name = (text: string) => {
    const printed = clean(text);
    return { text: breakable(printed), direction: directionOf(printed) };
  };
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
    titleSize: beat.text.length <= 24 ? 30 : beat.text.length <= 60 ? 22 : 15,
    beat,
    producer,
    producerInline: names.producer,
    buyer,
    type: clean(terms.title),
    termsVersion: clean(terms.version),
    order: `No. ${orderId}`,
    date: formatDate(purchasedAt),
    files,
    sections,
    boxes: lacksGlyphs ? " A box (\u25a1) stands for a character that these fonts do not have." : "",
    jws: jws.match(/.{1,120}/g) ?? [],
  };
}

interface Section {
  heading: string | null;
  paragraphs: string[];
  items: string[];
}

function sectionsOf(text: string, prepared: (text: string) => string): Section[] {
  const sections: Section[] = [];
  for (const { kind, text: raw } of readBlocks(text)) {
    const words = prepared(raw);
    const last = sections.at(-1);
    // A paragraph behind items begins a section without a heading, so that the order stays.
    const isNew = last === undefined || kind === "heading" || (kind === "paragraph" && last.items.length > 0);
    const section: Section = isNew ? { heading: null, paragraphs: [], items: [] } : last;
    if (isNew) sections.push(section);
    if (kind === "heading") section.heading = words;
    else (kind === "item" ? section.items : section.paragraphs).push(words);
  }
  return sections;
}

// The thread that prints certificates, one after the other (printer.ts).

// On Linux this is the thread's own priority: where both want the processor, API calls go first.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const source = readFileSync(join(import.meta.dirname, "certificate.typ"), "utf8");
const coverage = fonts.map(({ file }) => readCoverage(file));
const compiler = NodeCompiler.create({
  workspace: join(import.meta.dirname, "no-files"),
  fontArgs: [{ fontPaths: fonts.map(({ file }) => file) }],
});

parentPort?.on("message", ({ id, certificate }: PrintJob) => {
  try {
    const pdf = print(certificate);
    parentPort?.postMessage({ id, pdf } satisfies PrintResult, [pdf.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies PrintResult);
  }
});

function print(certificate: PrintJob["certificate"]): Uint8Array<ArrayBuffer> {
  const data = JSON.stringify({ ...certificateLayout(certificate, coverage), otherFamilies });
  const compiled = compiler.compile({ mainFileContent: source, inputs: { data } });
  if (compiled.result === null)
    throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? "Typst gave no document."));
  // PDF/A-2a: for archives, with tags for screen readers. Its date is the order's, so that the same facts are the same file.
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: "a-2a",
    creationTimestamp: Math.floor(certificate.purchasedAt.getTime() / 1000),
  });
  // Results of the certificates before; the fonts stay.
  compiler.evictCache(0);
  return new Uint8Array(pdf);
}
