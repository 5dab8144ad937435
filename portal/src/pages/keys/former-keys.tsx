import { Accordion, Group, Stack, Text } from "@mantine/core";
import type { ApiKey } from "../../api/keys.ts";
import { useMode } from "../../api/mode.ts";
import { maskedKey } from "../../display/masked-key.ts";
import { RelativeTime } from "../../display/relative-time.tsx";

/** Revoked and expired keys, collapsed. Renders nothing without any. */
export function FormerKeys({ keys }: { keys: readonly ApiKey[] }) {
  const mode = useMode();
  if (keys.length === 0) return null;
  return (
    <Accordion variant="contained">
      <Accordion.Item value="former">
        <Accordion.Control>
          <Text size="sm">Former keys ({keys.length})</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            {keys.map((key) => (
              <Group key={key.id} justify="space-between" gap="xs" wrap="nowrap">
                <Text size="sm" dir="auto" lineClamp={1} style={{ overflowWrap: "anywhere" }}>
                  {key.name}
                </Text>
                <Text size="sm" c="dimmed" component="div" style={{ flexShrink: 0 }}>
                  {maskedKey(key, mode)} · {key.state}{" "}
                  <RelativeTime at={key.revoked_at ?? key.expires_at ?? key.created_at} />
                </Text>
              </Group>
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
