import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../harness/programmes/report.ts";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

/** Names that break a text file if the writer does not escape them. */
const catalogue = `external_id,title,producer,genre,tempo
1,"Say ""Hi"" \\ 🎵","DJ ""Quote"" \\",Trap,90
2,"; option ""x"" ""y""",이정현,Trap,91
3,"Ż {{#tag}} ^link",שלום,House,92
`;

interface Order {
  id: number;
  status: string;
}

/** Checks a file with bean-check. */
async function beanCheck(python: string, file: string, report: Report, label: string): Promise<void> {
  const { status, output } = await run(python, ["-m", "beancount.scripts.check", file], { cwd: "/" });
  report.check(`bean-check accepts ${label}`, status === 0 && output === "", output || "no complaint");
}

export const ledgerCase: Case = {
  name: "beancount",
  about: "the ledger's export after orders, refunds, an exclusive, and names with quotes and emoji",
  run: async (bench, report) => {
    const tool = await bench.install(tools.beancount);
    const python = join(tool, "bin/python3");
    const market = await bench.market();
    const folder = await bench.folder();
    const file = join(folder, "catalogue.csv");
    await writeFile(file, catalogue);
    const map = join(folder, "map.json");
    const columns = ["external_id", "title", "producer", "genre", "tempo"];
    const fields = Object.fromEntries(columns.map((column) => [column, column]));
    await writeFile(map, JSON.stringify({ source: "ledger", fields }));
    await market.command("import", file, "--map", map);
    const key = await market.key("ledger@example.com");
    const { beats } = await market.call<{ beats: { id: number }[] }>(key, "/beats?sort=newest&limit=3");
    const buy = async (beat: number, license_type = "basic") => {
      const body = { beat_id: beats[beat]?.id, payment_method: "pm_card_visa", license_type };
      return (await market.call<{ order: Order }>(key, "/orders", body)).order;
    };
    const orders = [await buy(0), await buy(1), await buy(2), await buy(0, "premium"), await buy(2, "exclusive")];
    report.check(
      "orders are completed",
      orders.every(({ status }) => status === "completed"),
      orders.length,
    );
    const [first, , , premium, exclusive] = orders;
    await market.command("orders", "refund", String(first?.id), "--amount", "0.50");
    await market.command("orders", "refund", String(premium?.id));
    await market.command("orders", "refund", String(exclusive?.id));
    const wholeLedger = join(folder, "ledger.beancount");
    const part = join(folder, "part.beancount");
    await market.commandText("ledger", "export", "--output", wholeLedger);
    await market.commandText("ledger", "export", "--from", "2200-01-01", "--output", part);
    await beanCheck(python, wholeLedger, report, "the whole ledger");
    await beanCheck(python, part, report, "opening balances alone");
    const text = await readFile(wholeLedger, "utf8");
    report.check(
      "the export has every sale and refund",
      (text.match(/ #(sale|refund) /g) ?? []).length >= 7,
      "7 or more",
    );
    const damaged = join(folder, "damaged.beancount");
    await writeFile(damaged, text.replace(/ USD\n/, "0 USD\n").replace(/(\d)\.(\d\d)0? USD/, "$19.$2 USD"));
    const { status } = await run(python, ["-m", "beancount.scripts.check", damaged], { cwd: folder });
    report.check("bean-check refuses a damaged copy", status !== 0, `status ${status}`);
  },
};
