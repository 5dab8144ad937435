import { Badge } from "@mantine/core";
import type { components } from "../../../api/paths.ts";

const colors = { completed: "teal", pending: "yellow", failed: "red" } as const;

/** The state of an order, and its refunded amount. */
export function OrderBadge({
  order,
}: {
  order: Pick<components["schemas"]["AdminOrder"], "status" | "is_refunded" | "refunded_amount">;
}) {
  const refundLabel = order.refunded_amount > 0 ? "refunded in part" : null;
  const refunded = order.is_refunded ? "refunded" : refundLabel;
  return (
    <Badge
      color={refunded === null ? colors[order.status] : "gray"}
      variant="light"
      radius="sm"
      tt="none"
      miw="max-content"
    >
      {refunded ?? order.status}
    </Badge>
  );
}
