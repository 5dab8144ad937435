import { Text } from "@mantine/core";
import type { EndpointHealth } from "../../api/webhooks.ts";

/** The largest number that the server counts. */
const maxCount = 10_000;

const count = (number: number): string =>
  number >= maxCount ? `${maxCount.toLocaleString("en")}+` : number.toLocaleString("en");

/** The numbers of pending, given-up and skipped deliveries; "none" without any. */
export function Undelivered({ endpoint }: { endpoint: Pick<EndpointHealth, "undelivered"> }) {
  const { pending, failed, skipped } = endpoint.undelivered;
  const parts = [
    pending > 0 && `${count(pending)} waiting`,
    failed > 0 && `${count(failed)} given up`,
    skipped > 0 && `${count(skipped)} skipped`,
  ].filter((part) => part !== false);
  return (
    <Text size="sm" c={failed > 0 ? "red" : "dimmed"} component="span">
      {parts.length === 0 ? "none" : parts.join(", ")}
    </Text>
  );
}
