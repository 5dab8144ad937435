import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";
import type { PrintedDocument } from "./document.ts";
import { fonts, otherFamilies, readCoverage } from "./fonts.ts";
import { printableTexts } from "./printable.ts";
import type { PrintJob, PrintResult } from "./printer.ts";

// The thread that prints documents (printer.ts).

// On Linux this sets only the thread's priority: API calls go first if both need the processor.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const coverage = fonts.map(({ file }) => readCoverage(file));
const compiler = NodeCompiler.create({
  workspace: join(import.meta.dirname, "no-files"),
  fontArgs: [{ fontPaths: fonts.map(({ file }) => file) }],
});

/** The last queued document. A document begins when the previous document is finished. */
let last = Promise.resolve();
parentPort?.on("message", (job: PrintJob) => {
  last = last.then(() => answer(job));
});

async function answer({ id, document, facts }: PrintJob): Promise<void> {
  try {
    const module = (await import(document)) as { document: PrintedDocument<unknown> };
    const pdf = print(module.document, facts);
    parentPort?.postMessage({ id, pdf } satisfies PrintResult, [pdf.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies PrintResult);
  }
}

function print(document: PrintedDocument<unknown>, facts: unknown): Uint8Array<ArrayBuffer> {
  const data = JSON.stringify({ ...document.layout(facts, printableTexts(coverage)), otherFamilies });
  const mainFileContent = readFileSync(document.template, "utf8");
  const compiled = compiler.compile({ mainFileContent, inputs: { data } });
  if (compiled.result === null)
    throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics ?? "Typst gave no document."));
  const pdf = compiler.pdf(compiled.result, {
    pdfStandard: document.standard,
    creationTimestamp: Math.floor(document.dateOf(facts).getTime() / 1000),
  });
  // Drops the results of earlier documents and keeps the fonts.
  compiler.evictCache(0);
  const bytes = new Uint8Array(pdf);
  return document.finish?.(bytes, facts) ?? bytes;
}
