import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import { fonts, otherFamilies, readCoverage } from "./fonts.ts";
import { certificateLayout } from "./layout.ts";
import type { PrintJob, PrintResult } from "./printer.ts";

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
