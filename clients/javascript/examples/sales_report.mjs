// Reports a day's sales per beat and currency: `node sales_report.mjs --out reports`, by cron once a night. A second report
// of a day is the same file. The day is yesterday (UTC), or that of --day 2026-11-21. Without --out the report is printed.
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BeatMarket, BeatMarketError } from "beatmarket";

const dayMs = 86_400_000;
const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
const { values } = parseArgs({ options: { day: { type: "string", default: yesterday }, out: { type: "string" } } });
const from = new Date(`${values.day}T00:00:00Z`);
if (Number.isNaN(from.getTime())) {
  console.error(`The day is "${values.day}"; it takes a date such as ${yesterday}.`);
  process.exit(2);
}

const rows = new Map();
try {
  for await (const sale of new BeatMarket().sales.list({ from, to: new Date(from.getTime() + dayMs), limit: 100 })) {
    if (!sale.completed_at.startsWith(values.day)) continue; // Counts no other day, even if the service lists a sale at `to`.
    const key = `${sale.beat.id} ${sale.currency}`;
    const row = rows.get(key) ?? { ...sale.beat, currency: sale.currency, count: 0, cents: 0 };
    row.count += 1;
    row.cents += Math.round((sale.amount - sale.refunded_amount) * 100); // Cents, because sums of fractions are inexact.
    rows.set(key, row);
  }
} catch (error) {
  if (!(error instanceof BeatMarketError)) throw error;
  console.error(error.message);
  process.exit(1);
}

const sorted = [...rows.values()].sort((a, b) => b.cents - a.cents || a.id - b.id);
const lines = sorted.map(
  ({ id, title, currency, count, cents }) =>
    `${String(count).padStart(5)}  ${(cents / 100).toFixed(2).padStart(10)} ${currency}  ${title} (${id})`,
);
const report = [`Sales of ${values.day}`, ...(lines.length === 0 ? ["none"] : lines), ""].join("\n");
if (values.out === undefined) process.stdout.write(report);
else {
  const file = join(values.out, `sales-${values.day}.txt`);
  await mkdir(values.out, { recursive: true });
  await writeFile(`${file}.new`, report);
  await rename(`${file}.new`, file); // A reader sees the old report or the whole new one.
  console.log(file);
}
