import { moneyText } from "../../display/beats/money.ts";
import { Figures } from "../../display/figures.tsx";
import type { SalesSum } from "./sales-queries.ts";

/** The sums of all sales that match the filters. */
export const SalesSums = ({ sum: { currency, sales, sold, refunded, net } }: { sum: SalesSum }) => (
  <Figures
    label={`Sums in ${currency}`}
    figures={[
      { name: "Sales", value: sales.toLocaleString("en") },
      { name: "Sold", value: moneyText(sold, currency) },
      { name: "Refunded", value: moneyText(refunded, currency) },
      { name: "Net", value: moneyText(net, currency) },
    ]}
  />
);
