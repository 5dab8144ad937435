import { Group, Stack, Text } from "@mantine/core";
import type { EndpointHealth } from "../../api/webhooks.ts";
import classes from "./health-strip.module.css";

const barCount = 30;

/** The latest deliveries as bars, the newest on the right, and the share that succeeded. */
export function HealthStrip({ endpoint }: { endpoint: EndpointHealth }) {
  const { recent, attempted, succeeded } = endpoint;
  const emptyBars = Array.from({ length: barCount - recent.length }, () => "none" as const);
  const bars = [...emptyBars, ...recent.toReversed()];
  return (
    <Stack gap={4} maw={barCount * 5}>
      <Group gap={2} wrap="nowrap" justify="flex-end" className={classes.strip} aria-hidden>
        {bars.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
          <span key={index} className={classes.bar} data-state={state} />
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {attempted === 0
          ? "Nothing attempted yet"
          : `${succeeded} of ${attempted} delivered (${successRate(succeeded, attempted)})`}
      </Text>
    </Stack>
  );
}

/** The success rate in percent. Rounds down, so that 100 % means no failure. */
const successRate = (succeeded: number, attempted: number): string =>
  `${Math.floor((succeeded / attempted) * 1000) / 10}\u00a0%`;
