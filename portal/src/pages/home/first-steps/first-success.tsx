import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Home } from "../../../api/home.ts";
import { durationLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";

/** The newest successful call of a newcomer, and the next steps. */
export function FirstSuccess({ call }: { call: NonNullable<Home["latest_success"]> }) {
  const { id, method, path, status, duration_ms } = call;
  return (
    <Stack gap="sm" role="status">
      <Group gap="xs" align="baseline">
        <StatusBadge status={status} />
        <Anchor
          size="sm"
          ff="monospace"
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/log" search={{ call: id }} {...props} />}
        >
          {method} {path}
        </Anchor>
        <Text size="sm" c="dimmed">
          responded in {durationLabel(duration_ms)}
        </Text>
      </Group>
      <Text size="sm">Your key works. The request log lists every request, with the reason for each refusal.</Text>
      <Group gap="xs">
        <Button leftSection={<IconWebhook size={16} />} renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          Receive a webhook
        </Button>
        <Button variant="default" renderRoot={(props) => <Link to="/explorer" {...props} />}>
          Explore all operations
        </Button>
      </Group>
    </Stack>
  );
}
