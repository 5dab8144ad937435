import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ApiKey, keyLimitsQuery } from "../../api/keys.ts";
import type { components } from "../../api/paths.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { LimitGauge } from "../../display/limit-gauge.tsx";
import { maskedKey } from "../../display/masked-key.ts";
import { RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";

type LimitWindow = components["schemas"]["LimitWindow"];

/** The use of each key's minute, hour and day limits, polled. */
export function LimitGauges({ keys }: { keys: readonly ApiKey[] }) {
  const { data, error, isPending } = useQuery(keyLimitsQuery);
  return (
    <Section title="Limits" note="Current use of each key">
      {keys.length === 0 && (
        <Text size="sm" c="dimmed">
          No active API key.
        </Text>
      )}
      {isPending && <RowsSkeleton rows={keys.length} height={64} />}
      {error !== null && data === undefined && <ErrorAlert error={error} />}
      <Stack gap="lg">
        {data?.keys.map(({ id, windows }) => {
          const key = keys.find((each) => each.id === id);
          return key === undefined ? null : <KeyGauges key={id} apiKey={key} windows={windows} />;
        })}
      </Stack>
    </Section>
  );
}

function KeyGauges({ apiKey, windows }: { apiKey: ApiKey; windows: readonly LimitWindow[] }) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb="xs" wrap="nowrap">
        <Text size="sm" fw={550} dir="auto" lineClamp={1} style={{ overflowWrap: "anywhere" }}>
          {apiKey.name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace" style={{ flexShrink: 0 }}>
          {maskedKey(apiKey)}
        </Text>
      </Group>
      {windows.length === 0 ? (
        <Text size="sm" c="dimmed">
          This key has no limits.
        </Text>
      ) : (
        <SimpleGrid cols={3} spacing="sm">
          {windows.map((window) => (
            <LimitGauge key={window.name} name={window.name} window={window} />
          ))}
        </SimpleGrid>
      )}
    </div>
  );
}
