import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { EndpointHealth } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";

interface EnableDialogProps {
  endpoint: EndpointHealth;
  opened: boolean;
  onClose: () => void;
}

/** The dialog that enables an endpoint, with or without sending the skipped deliveries. */
export function EnableDialog({ endpoint, opened, onClose }: EnableDialogProps) {
  const { skipped } = endpoint.undelivered;
  const [replay, setReplay] = useState(true);
  const enable = useWebhookMutation(
    () =>
      unwrap(
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
        <Text size="sm">Deliveries start again at once. The failure count is reset.</Text>
        {skipped > 0 && (
          <Checkbox
            label={`Send the ${skipped.toLocaleString("en")} skipped deliveries, too`}
            description="With the same event ids, so a receiver can skip events it has processed."
            checked={replay}
            onChange={(event) => setReplay(event.currentTarget.checked)}
          />
        )}
        {enable.error !== null && <ErrorAlert error={enable.error} />}
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
