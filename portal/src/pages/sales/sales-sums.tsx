import { locale, t } from "../../api/locale.ts";
import { moneyText } from "../../display/beats/money.ts";
import { Figures } from "../../display/figures.tsx";
import type { SalesSum } from "./sales-queries.ts";

/** The sums of all sales that match the filters. */
export const SalesSums = ({ sum: { currency, sales, sold, refunded, net } }: { sum: SalesSum }) => (
  <Figures
    label={t("sales.sumsInCurrency", { currency })}
    figures={[
      { name: t("nav.sales"), value: locale.number(sales) },
      { name: t("sales.sold"), value: moneyText(sold, currency) },
      { name: t("sales.refunded"), value: moneyText(refunded, currency) },
      { name: t("sales.net"), value: moneyText(net, currency) },
    ]}
  />
);
