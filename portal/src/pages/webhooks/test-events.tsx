import { Anchor, Button, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { eventTypeNames, eventTypes } from "./event-types.ts";
import type { Endpoint, EventType } from "./queries.ts";
import { useChange } from "./use-change.ts";

/** Sends an example event of any type on the way that every event goes. */
export function TestEvents({ endpoint }: { endpoint: Endpoint }) {
  const [type, setType] = useState<EventType>("beat.purchased");
  const test = useChange((chosen: EventType) =>
    answered(
      api.POST("/webhooks/endpoints/{endpoint_id}/test", {
        params: { path: { endpoint_id: endpoint.id } },
        body: { type: chosen },
      }),
    ),
  );
  const isDisabled = endpoint.state === "disabled";
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={2} size="h5">
            Test event
          </Title>
          <Text size="sm" c="dimmed">
            {isDisabled
              ? "Enable the endpoint to send one."
              : "A real, signed delivery of an example, whatever it is subscribed to."}
          </Text>
        </div>
        <Group gap="xs" align="flex-end">
          <Select
            aria-label="Type of the test event"
            data={eventTypeNames.map((name) => ({ value: name, label: name }))}
            value={type}
            onChange={(value) => setType((value ?? type) as EventType)}
            allowDeselect={false}
            renderOption={({ option }) => (
              <Stack gap={0}>
                <Text size="sm">{option.label}</Text>
                <Text size="xs" c="dimmed">
                  {eventTypes[option.value as EventType]}
                </Text>
              </Stack>
            )}
            comboboxProps={{ width: 300, position: "bottom-end" }}
            w={180}
            disabled={isDisabled}
          />
          <Button
            leftSection={<IconSend size={16} />}
            loading={test.isPending}
            disabled={isDisabled}
            onClick={() => test.mutate(type)}
          >
            Send test event
          </Button>
        </Group>
      </Group>
      <div aria-live="polite">
        {test.data !== undefined && (
          <Text size="sm" mt="xs">
            Sent {test.variables}:{" "}
            <Anchor
              inherit
              renderRoot={(its) => (
                <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: test.data.delivery_id }} {...its} />
              )}
            >
              delivery {test.data.delivery_id}
            </Anchor>
            .
          </Text>
        )}
      </div>
      {test.error !== null && <ProblemAlert error={test.error} />}
    </Paper>
  );
}
