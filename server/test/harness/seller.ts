import type { Seller } from "../../src/resources/invoices/invoice.ts";
import type { TestDatabase } from "./database/driver.ts";

/** The seller on the tests' invoices. */
export const testSeller: Seller = {
  name: "Beats GmbH",
  address: ["Example Street 1", "10115 Berlin"],
  country: "DE",
  vatId: "DE123456789",
  taxNumber: null,
  host: "beats.example",
};

/** The numbers of each kind and year, in order. Without a gap they are 1, 2, 3, … */
export async function numbersOf({ driver }: Pick<TestDatabase, "driver">): Promise<Record<string, number[]>> {
  const rows = await driver<{ series: string; numbers: number[] }[]>`
    select kind || ' ' || year as series, json_agg(number order by number) as numbers from invoices group by kind, year`;
  return Object.fromEntries(rows.map(({ series, numbers }) => [series, numbers]));
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
