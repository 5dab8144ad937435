import { Group, Stack, Text } from "@mantine/core";
import classes from "./health-strip.module.css";
import type { EndpointHealth } from "./queries.ts";

const drawn = 30;

/** The newest deliveries as bars, the latest at the right, and the share that succeeded. */
export function HealthStrip({ endpoint }: { endpoint: EndpointHealth }) {
  const { recent, attempted, succeeded } = endpoint;
  const blanks = Array.from({ length: drawn - recent.length }, () => "none" as const);
  const bars = [...blanks, ...recent.toReversed()];
  return (
    <Stack gap={4} maw={drawn * 5}>
      <Group gap={2} wrap="nowrap" justify="flex-end" className={classes.strip} aria-hidden>
        {bars.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
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

/** Never rounded up to a perfection that is not there. */
const successRate = (succeeded: number, attempted: number): string =>
  `${Math.floor((succeeded / attempted) * 1000) / 10} %`;
