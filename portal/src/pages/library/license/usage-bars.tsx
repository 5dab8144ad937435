import { Group, Progress, Stack, Text } from "@mantine/core";
import type { LibraryLicense } from "./license-queries.ts";

const count = new Intl.NumberFormat("en");
const names = { streams: "Streams", copies: "Copies", videos: "Music videos" } as const;

type Sum = LibraryLicense["usage"]["sums"][number];

/** A bar for each limit. */
export function UsageBars({ sums }: { sums: readonly Sum[] }) {
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {sums.map((sum) => (
        <li key={sum.use}>
          <UsageBar sum={sum} />
        </li>
      ))}
    </Stack>
  );
}

function UsageBar({ sum: { use, used, limit } }: { sum: Sum }) {
  const percent = limit === null ? 0 : limit === 0 ? (used > 0 ? 100 : 0) : Math.floor((100 * used) / limit);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {names[use]}
        </Text>
        <Text size="sm">
          {limit === null
            ? `${count.format(used)}, and any number is allowed`
            : `${count.format(used)} of ${count.format(limit)} (${percent} %)`}
        </Text>
      </Group>
      {limit !== null && (
        <Progress.Root size="md" mt={4}>
          <Progress.Section
            value={Math.min(100, percent)}
            color={percent >= 100 ? "red" : percent >= 80 ? "orange" : "violet"}
            aria-label={`${names[use]} used, in percent of the limit`}
          />
        </Progress.Root>
      )}
      {limit !== null && used > limit && (
        <Text size="sm" c="red" mt={4}>
          {count.format(used - limit)} more than the license allows. Upgrade it, or ask the producer.
        </Text>
      )}
    </>
  );
}
