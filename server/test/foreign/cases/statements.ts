import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { printStatement } from "../../../src/resources/payouts/pdf/statement-document.ts";
import type { Statement, StatementLine } from "../../../src/resources/payouts/statement.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const paidAt = new Date("2026-11-05T12:00:00Z");
const line = (kind: string, cents: number, order?: { id: number; title: string }): StatementLine => ({
  at: paidAt,
  kind,
  cents,
  orderId: order?.id ?? null,
  title: order?.title ?? null,
});
const statement = (openingCents: number, lines: StatementLine[]): Statement => ({
  month: "2026-11",
  currency: "EUR",
  openingCents,
  lines,
  closingCents: lines.reduce((sum, { cents }) => sum + cents, openingCents),
});

const titles = ["Midnight", 'Storm "<&>"', "夜の雨", "נור", "مطر", "Ёлка", "김밥", "नमस्ते"];
/** Sales with all deductions, over several pages. */
const busy = titles.flatMap((title, place) =>
  Array.from({ length: 12 }, (_, n) => ({ id: 1_000 + place * 12 + n, title })).flatMap((order) => [
    line("sale", 2_990, order),
    line("commission", -299, order),
    line("splits_with_others", -807, order),
  ]),
);

const sheets: Readonly<Record<string, { statement: Statement; holder: string }>> = {
  empty: { statement: statement(0, []), holder: "Nightowl" },
  // A refund of an amount that was paid out earlier.
  negative: {
    statement: statement(-500, [line("refund", -2_691, { id: 7, title: "Dawn" }), line("payout", -1)]),
    holder: "Zoë & <Söhne> 김민준",
  },
  pages: { statement: statement(123_456, busy), holder: "מוזיקאי" },
};

const archived: Case = {
  name: "statements-verapdf",
  about:
    "veraPDF: statements of producers are PDF/A-2a: without lines, below zero, and of several pages in eight scripts",
  async run(bench: Bench, report) {
    const tool = await bench.install(tools.veraPdf);
    const cwd = await bench.folder();
    // The machine may be busy, and the test does not measure time.
    const printer = new DocumentPrinter({ timeoutMs: 120_000 });
    try {
      for (const [name, sheet] of Object.entries(sheets)) {
        const file = join(cwd, `${name}.pdf`);
        await writeFile(file, await printStatement(printer, sheet));
        const program = "org.verapdf.apps.GreenfieldCliWrapper";
        const args = ["-cp", join(tool, "lib/*"), program, "--format", "text", "--flavour", "2a", file];
        const { status, output } = await run("java", args, { cwd });
        report.check(`${name}: PDF/A-2a`, status === 0 && /^PASS /m.test(output), output.slice(-300));
      }
    } finally {
      await printer.close();
    }
  },
};

export const statementCases: readonly Case[] = [archived];
