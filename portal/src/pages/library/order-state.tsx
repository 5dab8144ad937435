import { Badge, Stack, Text } from "@mantine/core";
import { moneyText } from "../../display/beats/money.ts";
import { RelativeTime } from "../../display/relative-time.tsx";
import type { LibraryOrder } from "./library-queries.ts";
import classes from "./order-state.module.css";

/** What became of an order, and why. */
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
        <Text size="sm">{next_action === null ? "The payment is under way." : "The payment waits for you."}</Text>
      )}
      {refunded_at !== null && (
        <Text size="sm" component="div">
          {moneyText(refunded_amount, currency)} paid back <RelativeTime at={refunded_at} />
        </Text>
      )}
    </Stack>
  );
}

function badgeOf({ status, is_refunded, refunded_at }: LibraryOrder): { color: string; label: string } {
  if (status === "pending") return { color: "blue", label: "Not paid yet" };
  if (status === "failed") return { color: "red", label: "Failed" };
  if (is_refunded) return { color: "gray", label: "Refunded" };
  return refunded_at === null ? { color: "teal", label: "Completed" } : { color: "orange", label: "Partly refunded" };
}
