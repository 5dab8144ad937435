import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import type { Invoice } from "../../../src/resources/invoices/invoice.ts";
import { includedTax } from "../../../src/resources/invoices/invoice.ts";
import { printInvoice } from "../../../src/resources/invoices/pdf/printer.ts";
import { testSeller } from "../../harness/seller.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const callers = join(import.meta.dirname, "../callers");

const invoice = (amountCents: number, basisPoints: number | null, overrides: Partial<Invoice> = {}): Invoice => ({
  id: 1,
  kind: "invoice",
  year: 2026,
  number: 42,
  orderId: 1042,
  currency: "EUR",
  corrects: null,
  amountCents,
  taxCents: basisPoints === null ? 0 : includedTax(amountCents, basisPoints),
  issuedAt: new Date("2026-11-27T12:00:00Z"),
  facts: {
    seller: testSeller,
    buyer: { name: "Zoë & <Söhne> 김민준", address: ["Weg 1", "8000 Zürich"], country: "CH", vatId: "CHE123456789" },
    line: { orderId: 1042, title: 'Midnight "Lantern" נור', producerName: "Nightowl", licenseType: "premium" },
    tax: basisPoints === null ? null : { name: "VAT", country: "CH", basisPoints },
  },
  ...overrides,
});

const corrects = { name: "INV-2026-000042", issuedAt: new Date("2026-11-26T12:00:00Z") };
const untaxed = invoice(2_990, null);

const invoices: Readonly<Record<string, Invoice>> = {
  taxed: invoice(2_990, 1_900),
  // The lowest, an odd and the highest gross price. Their exact net amounts are not whole cents.
  oneCent: invoice(1, 1_900),
  odd: invoice(1_000_003, 810),
  high: invoice(2_147_483_647, 2_700),
  untaxed,
  nameless: { ...untaxed, facts: { ...untaxed.facts, buyer: { name: "", address: [], country: null, vatId: null } } },
  creditNote: invoice(1_001, 2_000, { kind: "credit_note", number: 7, corrects }),
  // Charges the amount of a refund that came back.
  afterFailedRefund: invoice(1_001, 2_000, { number: 43, corrects }),
};

/** Prints all invoices into a folder. Returns their files by name. */
async function printed(folder: string): Promise<Record<string, string>> {
  const printer = new DocumentPrinter();
  try {
    const files: Record<string, string> = {};
    for (const [name, each] of Object.entries(invoices)) {
      const file = join(folder, `${name}.pdf`);
      await writeFile(file, await printInvoice(printer, each, { isCopy: false }));
      files[name] = file;
    }
    return files;
  } finally {
    await printer.close();
  }
}

const mustang: Case = {
  name: "invoices-mustang",
  about: "Mustang: invoices and credit notes are valid Factur-X (schema, rules of EN 16931, PDF/A-3)",
  async run(bench: Bench, report) {
    const tool = await bench.install(tools.mustang);
    const cwd = await bench.folder();
    const files = await printed(cwd);
    const args = ["-cp", join(tool, "lib/*"), join(callers, "MustangValidator.java"), ...Object.values(files)];
    const { stdout, output } = await run("java", args, { cwd });
    for (const [name, file] of Object.entries(files)) {
      const line = stdout.split("\n").find((each) => each.includes(` ${file}`)) ?? output.slice(-600);
      report.check(`${name}: valid`, line === `VALID ${file}`, line.slice(0, 600));
    }
  },
};

const archived: Case = {
  name: "invoices-verapdf",
  about: "veraPDF: invoices and credit notes are PDF/A-3a",
  async run(bench: Bench, report) {
    const tool = await bench.install(tools.veraPdf);
    const cwd = await bench.folder();
    for (const [name, file] of Object.entries(await printed(cwd))) {
      const program = "org.verapdf.apps.GreenfieldCliWrapper";
      const args = ["-cp", join(tool, "lib/*"), program, "--format", "text", "--flavour", "3a", file];
      const { status, output } = await run("java", args, { cwd });
      report.check(`${name}: PDF/A-3a`, status === 0 && /^PASS /m.test(output), output.slice(-300));
    }
  },
};

export const invoiceCases: readonly Case[] = [mustang, archived];
