import type { Endpoint } from "../../api/webhooks.ts";
import { StateBadge } from "./state-badge.tsx";

const badges = {
  disabled: { color: "red", label: "Disabled" },
  failing: { color: "orange", label: "Failing" },
  enabled: { color: "teal", label: "Enabled" },
} as const;

/** The state of an endpoint. An enabled endpoint whose deliveries fail is shown as "Failing". */
export function EndpointBadge({ endpoint }: { endpoint: Pick<Endpoint, "state" | "failing_since"> }) {
  const { state, failing_since } = endpoint;
  return <StateBadge {...badges[state === "enabled" && failing_since !== null ? "failing" : state]} />;
}
