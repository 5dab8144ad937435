import { Progress, Text } from "@mantine/core";
import type { components } from "../api/paths.ts";

type LimitWindow = components["schemas"]["LimitWindow"];

const count = new Intl.NumberFormat("en");

/** Shows the used share of a limit. `window` is undefined while it loads. */
export function LimitGauge({ name, window }: { name: LimitWindow["name"]; window: LimitWindow | undefined }) {
  const { limit, remaining, resets_in_seconds: resetsInSeconds } = window ?? unknown;
  const usedCount = limit - remaining;
  const percent = (100 * usedCount) / limit;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Progress.Root size="sm" my={4}>
        <Progress.Section
          value={percent}
          color={colorOf(percent)}
          aria-label={`${count.format(usedCount)} of ${count.format(limit)} calls of the ${name} used`}
        />
      </Progress.Root>
      <Text size="xs">{window === undefined ? "…" : `${count.format(usedCount)} of ${count.format(limit)} used`}</Text>
      {remaining === 0 && (
        <Text size="xs" c="dimmed">
          free in {waitLabel(resetsInSeconds)}
        </Text>
      )}
    </div>
  );
}

const unknown = { limit: 1, remaining: 1, resets_in_seconds: 0 };

function colorOf(percent: number): string {
  if (percent >= 90) return "red";
  return percent >= 70 ? "orange" : "violet";
}

function waitLabel(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3_600)} h`;
}
