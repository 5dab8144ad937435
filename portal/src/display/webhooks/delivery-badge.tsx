import type { DeliveryState } from "../../api/webhooks.ts";
import { StateBadge } from "./state-badge.tsx";

const badges: Record<DeliveryState, { color: string; label: string }> = {
  pending: { color: "blue", label: "Pending" },
  sending: { color: "blue", label: "Sending" },
  succeeded: { color: "teal", label: "Delivered" },
  failed: { color: "red", label: "Given up" },
  skipped: { color: "gray", label: "Skipped" },
};

/** The delivery states with their labels, as options of a select. */
export const deliveryStateOptions = Object.entries(badges).map(([value, { label }]) => ({ value, label }));

/** The state of a delivery. A pending delivery with a failed attempt is "Retrying". */
export function DeliveryBadge({ state, isRetry }: { state: DeliveryState; isRetry: boolean }) {
  if (state === "pending" && isRetry) return <StateBadge color="orange" label="Retrying" />;
  return <StateBadge {...badges[state]} />;
}
