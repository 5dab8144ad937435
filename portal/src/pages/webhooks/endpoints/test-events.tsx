import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { eventTypes } from "../../../api/event-types.ts";
import type { Endpoint, EventType } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";

/** Sends a test event of any type through the same queue as real events. */
export function TestEvents({ endpoint }: { endpoint: Endpoint }) {
  const [type, setType] = useState<EventType>("beat.purchased");
  const test = useWebhookMutation((eventType: EventType) =>
    unwrap(
      api.POST("/webhooks/endpoints/{endpoint_id}/test", {
        params: { path: { endpoint_id: endpoint.id } },
        body: { type: eventType },
      }),
    ),
  );
  const isDisabled = endpoint.state === "disabled";
  const isBucket = endpoint.kind === "s3";
  const effectText = isBucket
    ? "Writes an object with one example event at once. The event's id contains TEST. It ignores the subscriptions."
    : "A real, signed delivery with example data and the header X-Webhook-Test. It ignores the subscriptions.";
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={2} size="h5">
            Test event
          </Title>
          <Text size="sm" c="dimmed">
            {isDisabled ? "Enable the endpoint to send one." : effectText}
          </Text>
        </div>
        <Group gap="xs" align="flex-end">
          <Select
            aria-label="Type of the test event"
            data={eventTypes.map((each) => each.type)}
            value={type}
            onChange={(value) => setType((value ?? type) as EventType)}
            w={180}
            title={eventTypes.find((each) => each.type === type)?.summary}
            disabled={isDisabled}
          />
          <Button
            leftSection={<IconSend size={16} />}
            loading={test.isPending}
            disabled={isDisabled}
            onClick={() => test.mutate(type)}
          >
            {isBucket ? "Write test object" : "Send test event"}
          </Button>
        </Group>
      </Group>
      <div aria-live="polite">
        {test.data !== undefined && (
          <Text size="sm" mt="xs">
            Sent {test.variables}:{" "}
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: test.data.delivery_id }} {...props} />
              )}
            >
              delivery {test.data.delivery_id}
            </Anchor>
            .
          </Text>
        )}
      </div>
      {test.error !== null && <ErrorAlert error={test.error} />}
    </Paper>
  );
}
