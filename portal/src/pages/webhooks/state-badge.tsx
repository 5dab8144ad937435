import { Badge } from "@mantine/core";
import type { DeliveryState, Endpoint } from "./queries.ts";

const endpointLooks = {
  disabled: { color: "red", label: "Disabled" },
  failing: { color: "orange", label: "Failing" },
  enabled: { color: "teal", label: "Enabled" },
} as const;

/** Whether an endpoint is enabled, failing or disabled. */
export function EndpointBadge({ endpoint }: { endpoint: Pick<Endpoint, "state" | "failing_since"> }) {
  const { state, failing_since } = endpoint;
  const { color, label } = endpointLooks[state === "enabled" && failing_since !== null ? "failing" : state];
  return <StateBadge color={color} label={label} />;
}

const deliveryLooks: Record<DeliveryState, { color: string; label: string }> = {
  pending: { color: "blue", label: "Pending" },
  sending: { color: "blue", label: "Sending" },
  succeeded: { color: "teal", label: "Delivered" },
  failed: { color: "red", label: "Given up" },
  skipped: { color: "gray", label: "Skipped" },
};

/** The states of deliveries, in words. */
export const deliveryStates = Object.entries(deliveryLooks).map(([value, { label }]) => ({ value, label }));

/** What became of a delivery so far; one that waits for another try after a failure says so. */
export function DeliveryBadge({ state, isRetry }: { state: DeliveryState; isRetry: boolean }) {
  if (state === "pending" && isRetry) return <StateBadge color="orange" label="Retrying" />;
  return <StateBadge {...deliveryLooks[state]} />;
}

const StateBadge = ({ color, label }: { color: string; label: string }) => (
  <Badge color={color} variant="light" radius="sm" tt="none" miw="max-content">
    {label}
  </Badge>
);
