import { Link } from "@tanstack/react-router";
import type { Beat } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { moneyText } from "../../../display/beats/money.ts";
import classes from "./results.module.css";

/** The price of a beat (that of the basic license, or of the next one on sale), as a link to buy. */
export function PriceLink({ beat: { id, title, price }, currency }: { beat: Beat; currency: string }) {
  const amount = moneyText(price, currency);
  return (
    <Link
      className={classes.price}
      to="/market/beats/$beatId"
      params={{ beatId: id }}
      search={{ buy: "basic", price }}
      aria-label={t("market.buyBeatFrom", { title, amount })}
    >
      {amount}
    </Link>
  );
}
