import { ActionIcon, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconPlayerPause, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { Endpoint } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Menu, MenuItem } from "../../../display/menu.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";
import { EndpointForm } from "./endpoint-form.tsx";

/** Buttons and dialogs to change, disable and delete an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [isChanging, changing] = useDisclosure();
  const [isDisabling, disabling] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={changing.open}>
        Change
      </Button>
      <Menu
        width={180}
        target={(props) => (
          <ActionIcon {...props} variant="default" size={36} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        )}
      >
        {endpoint.state === "enabled" && (
          <MenuItem icon={<IconPlayerPause size={16} />} onClick={disabling.open}>
            Disable
          </MenuItem>
        )}
        <MenuItem isDangerous icon={<IconTrash size={16} />} onClick={deleting.open}>
          Delete
        </MenuItem>
      </Menu>
      <EndpointForm opened={isChanging} onClose={changing.close} endpoint={endpoint} />
      <DisableDialog endpoint={endpoint} opened={isDisabling} onClose={disabling.close} />
      <DeleteDialog endpoint={endpoint} opened={isDeleting} onClose={deleting.close} />
    </>
  );
}

interface DialogProps {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
}

function DisableDialog({ endpoint, opened, onClose }: DialogProps) {
  const disable = useWebhookMutation(
    () =>
      unwrap(api.POST("/webhooks/endpoints/{endpoint_id}/disable", { params: { path: { endpoint_id: endpoint.id } } })),
    onClose,
  );
  return (
    <Modal opened={opened} onClose={onClose} title="Disable the endpoint" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          Deliveries stop. Events are kept as skipped for 30 days and can be sent when you enable the endpoint again.
        </Text>
        {disable.error !== null && <ErrorAlert error={disable.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={disable.isPending} onClick={() => disable.mutate(undefined)}>
            Disable
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function DeleteDialog({ endpoint, opened, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = useWebhookMutation(
    () => unwrap(api.DELETE("/webhooks/endpoints/{endpoint_id}", { params: { path: { endpoint_id: endpoint.id } } })),
    () => navigate({ to: "/webhooks" }),
  );
  return (
    <Modal opened={opened} onClose={onClose} title="Delete the endpoint" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          This also deletes its secret, its deliveries and their attempts, and cannot be undone. You can disable it
          instead.
        </Text>
        {remove.error !== null && <ErrorAlert error={remove.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Delete for good
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
