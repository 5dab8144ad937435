import { Badge } from "@mantine/core";
import { t } from "../api/locale.ts";
import type { components } from "../api/paths.ts";

/** Where new orders are charged: at the sandbox, or at Stripe in test or live mode. */
export type PaymentMode = components["schemas"]["Session"]["payments"];

/** The effect of a purchase in each mode, as a sentence. */
export const paymentModeSentences: Record<PaymentMode, string> = {
  sandbox: t("ui.noMoneyMovesInTheSandbox"),
  test: t("ui.noMoneyMovesInTestMode"),
  live: t("ui.livePaymentsNote"),
};

/** Whether purchases move money: "Test payments" or "Live payments". */
export function PaymentModeBadge({ mode }: { mode: PaymentMode }) {
  const isLive = mode === "live";
  return (
    <Badge
      variant={isLive ? "filled" : "light"}
      color={isLive ? "red" : "teal"}
      radius="sm"
      tt="none"
      title={paymentModeSentences[mode]}
      style={{ flexShrink: 0 }}
    >
      {isLive ? t("ui.livePayments") : t("ui.testPayments")}
    </Badge>
  );
}
