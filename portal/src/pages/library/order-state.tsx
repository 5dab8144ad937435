import { Badge, Stack, Text } from "@mantine/core";
import { t } from "../../api/locale.ts";
import { moneyText } from "../../display/beats/money.ts";
import { RelativeTime } from "../../display/relative-time.tsx";
import { words } from "../../display/words.tsx";
import type { LibraryOrder } from "./library-queries.ts";
import classes from "./order-state.module.css";

/** The state of an order, with the reason for a failure, the open payment or the refund. */
export function OrderState({ order }: { order: LibraryOrder }) {
  const { failure_reason, next_action, refunded_amount, refunded_at, currency } = order;
  const { color, label } = badgeOf(order);
  return (
    <Stack gap={4} maw={320} className={classes.state}>
      <Badge color={color} variant="light" radius="sm" tt="none" miw="max-content">
        {label}
      </Badge>
      {order.status === "failed" && <Text size="sm">{failure_reason}</Text>}
      {order.status === "pending" && (
        <Text size="sm">
          {next_action === null ? t("library.thePaymentIsUnderWay") : t("library.thePaymentWaitsForYou")}
        </Text>
      )}
      {refunded_at !== null && (
        <Text size="sm" component="div">
          {words("library.paidBack", {
            amount: moneyText(refunded_amount, currency),
            when: <RelativeTime at={refunded_at} />,
          })}
        </Text>
      )}
    </Stack>
  );
}

function badgeOf({ status, is_refunded, refunded_at }: LibraryOrder): { color: string; label: string } {
  if (status === "pending") return { color: "blue", label: t("library.notPaidYet") };
  if (status === "failed") return { color: "red", label: t("library.failed") };
  if (is_refunded) return { color: "gray", label: t("library.refunded") };
  return refunded_at === null
    ? { color: "teal", label: t("library.completed") }
    : { color: "orange", label: t("library.partlyRefunded") };
}
