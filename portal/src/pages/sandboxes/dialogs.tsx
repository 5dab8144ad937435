import { Alert, Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { api, unwrap } from "../../api/client.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { type CreatedSandbox, type Sandbox, useSandboxMutation } from "./sandboxes.ts";

/** The key of a new sandbox and its webhook secret, if any. They are shown once. */
export function IssuedSandbox({ sandbox, onDone }: { sandbox: CreatedSandbox; onDone: () => void }) {
  const { api_key, webhook_secret } = sandbox;
  return (
    <Stack>
      <Alert icon={<IconInfoCircle />} variant="light" role="status">
        The sandbox is ready. Copy its key now: it cannot be shown again. It has all permissions, and works for every
        operation of the API at the usual address.
      </Alert>
      <Secret label="API key" value={api_key} />
      {webhook_secret !== null && <Secret label="Webhook secret" value={webhook_secret} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

const Secret = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Group gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <CopyButton value={value} label={`Copy ${label}`} />
    </Group>
    <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
      {value}
    </Code>
  </div>
);

/** The dialog that deletes a sandbox. */
export function DeleteSandbox({ sandbox, onClose }: { sandbox: Sandbox | null; onClose: () => void }) {
  const remove = useSandboxMutation(({ id }: Sandbox) =>
    unwrap(api.DELETE("/sandboxes/{sandbox_id}", { params: { path: { sandbox_id: id } } })),
  );
  return (
    <Modal
      opened={sandbox !== null}
      onClose={onClose}
      title="Delete sandbox"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        {remove.error !== null && <ErrorAlert error={remove.error} />}
        <Text size="sm">
          Its beats, orders, events, files and keys are deleted at once. The same seed and calls make them again.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => sandbox !== null && remove.mutate(sandbox, { onSuccess: onClose })}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
