import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import type { EndpointHealth } from "./queries.ts";
import { useChange } from "./use-change.ts";

interface EnableDialogProps {
  endpoint: EndpointHealth;
  opened: boolean;
  onClose: () => void;
}

/** Enables an endpoint, with or without what was skipped meanwhile. */
export function EnableDialog({ endpoint, opened, onClose }: EnableDialogProps) {
  const { skipped } = endpoint.undelivered;
  const [replay, setReplay] = useState(true);
  const enable = useChange(
    () =>
      answered(
        api.POST("/webhooks/endpoints/{endpoint_id}/enable", {
          params: { path: { endpoint_id: endpoint.id } },
          body: { replay: replay && skipped > 0 },
        }),
      ),
    onClose,
  );
  return (
    <Modal opened={opened} onClose={onClose} title="Enable the endpoint" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">Deliveries start again at once, with a clean slate.</Text>
        {skipped > 0 && (
          <Checkbox
            label={`Send the ${skipped.toLocaleString("en")} skipped deliveries, too`}
            description="With the same event ids, so a receiver recognises what it has."
            checked={replay}
            onChange={(event) => setReplay(event.currentTarget.checked)}
          />
        )}
        {enable.error !== null && <ProblemAlert error={enable.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={enable.isPending} onClick={() => enable.mutate(undefined)}>
            Enable
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
