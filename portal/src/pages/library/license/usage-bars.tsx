import { Group, Progress, Stack, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import type { LibraryLicense } from "./license-queries.ts";

const names = { streams: "library.streams", copies: "library.copies", videos: "library.musicVideos" } as const;

type Sum = LibraryLicense["usage"]["sums"][number];

/** A bar for each limit. A replaced license cannot be upgraded, so the advice to upgrade is left out. */
export function UsageBars({ sums, isReplaced }: { sums: readonly Sum[]; isReplaced: boolean }) {
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {sums.map((sum) => (
        <li key={sum.use}>
          <UsageBar sum={sum} isReplaced={isReplaced} />
        </li>
      ))}
    </Stack>
  );
}

function usedPercent(used: number, limit: number): number {
  if (limit === 0) return used > 0 ? 100 : 0;
  return Math.floor((100 * used) / limit);
}

function colorOf(percent: number): string {
  if (percent >= 100) return "red";
  return percent >= 80 ? "orange" : "violet";
}

function UsageBar({ sum: { use, used, limit }, isReplaced }: { sum: Sum; isReplaced: boolean }) {
  const percent = limit === null ? 0 : usedPercent(used, limit);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {t(names[use])}
        </Text>
        <Text size="sm">
          {limit === null
            ? t("library.usedWithoutLimit", { used: used })
            : t("library.usedOfLimit", { used: used, limit: limit, percent })}
        </Text>
      </Group>
      {limit !== null && (
        <Progress.Root size="md" mt={4}>
          <Progress.Section
            value={Math.min(100, percent)}
            color={colorOf(percent)}
            aria-label={t("library.usageBarLabel", { what: t(names[use]) })}
          />
        </Progress.Root>
      )}
      {limit !== null && used > limit && (
        <Text size="sm" c="red" mt={4}>
          {t(isReplaced ? "library.replacedLimitExceeded" : "library.limitExceeded", {
            used: used - limit,
          })}
        </Text>
      )}
    </>
  );
}
