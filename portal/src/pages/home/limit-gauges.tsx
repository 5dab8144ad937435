import { Badge, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ApiKey, keyLimitsQuery } from "../../api/keys.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { maskedKey } from "../../display/masked-key.ts";
import { RowsSkeleton } from "../../display/page.tsx";

interface Window {
  name: "minute" | "hour" | "day";
  limit: number;
  remaining: number;
  resets_in_seconds: number;
}

/** The use of each key's minute, hour and day limits, polled. */
export function LimitGauges({ keys }: { keys: readonly ApiKey[] }) {
  const { data, error, isPending } = useQuery(keyLimitsQuery);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="limits">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id="limits">
          Limits
        </Title>
        <Badge variant="dot" color="teal" tt="none">
          Live
        </Badge>
      </Group>
      {isPending && <RowsSkeleton rows={keys.length} height={64} />}
      {error !== null && <ErrorAlert error={error} />}
      <Stack gap="lg">
        {data?.keys.map(({ id, windows }) => {
          const key = keys.find((each) => each.id === id);
          return key === undefined ? null : <KeyGauges key={id} apiKey={key} windows={windows} />;
        })}
      </Stack>
    </Paper>
  );
}

function KeyGauges({ apiKey, windows }: { apiKey: ApiKey; windows: readonly Window[] }) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6} wrap="nowrap">
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
            <Gauge key={window.name} window={window} />
          ))}
        </SimpleGrid>
      )}
    </div>
  );
}

function Gauge({ window: { name, limit, remaining, resets_in_seconds } }: { window: Window }) {
  const used = limit - remaining;
  const share = (used / limit) * 100;
  const label = `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} calls of the ${name} used`;
  return (
    <div>
      <Text size="xs" c="dimmed" tt="capitalize">
        {name}
      </Text>
      <Text size="sm">
        {used.toLocaleString("en")}
        <Text span inherit c="dimmed">
          {" "}
          / {limit.toLocaleString("en")}
        </Text>
      </Text>
      <Progress.Root size="sm" mt={4}>
        <Progress.Section
          value={share}
          color={share >= 90 ? "red" : share >= 70 ? "orange" : "violet"}
          aria-label={label}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={2} style={{ visibility: remaining === 0 ? "visible" : "hidden" }}>
        free in {waitLabel(resets_in_seconds)}
      </Text>
    </div>
  );
}

const waitLabel = (seconds: number): string =>
  seconds < 90
    ? `${seconds} s`
    : seconds < 5_400
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3_600)} h`;
