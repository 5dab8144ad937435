import { Badge } from "@mantine/core";
import type { components } from "../../../api/paths.ts";

const colors = { completed: "teal", pending: "yellow", failed: "red" } as const;

type BadgeOrder = Pick<components["schemas"]["AdminOrder"], "status" | "is_refunded" | "refunded_amount">;

/** The state of an order. For a refunded order, the refund instead. */
export function OrderBadge({ order }: { order: BadgeOrder }) {
  const refundLabel = refundLabelOf(order);
  return (
    <Badge
      color={refundLabel === null ? colors[order.status] : "gray"}
      variant="light"
      radius="sm"
      tt="none"
      miw="max-content"
    >
      {refundLabel ?? order.status}
    </Badge>
  );
}

function refundLabelOf({ is_refunded, refunded_amount }: BadgeOrder): string | null {
  if (is_refunded) return "refunded";
  return refunded_amount > 0 ? "refunded in part" : null;
}
