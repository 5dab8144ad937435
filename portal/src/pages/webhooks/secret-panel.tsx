import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import type { Endpoint, Secret } from "./queries.ts";
import { SecretText } from "./secret-text.tsx";
import { useChange } from "./use-change.ts";

/** The secret of an endpoint: shown when asked for, which the audit log keeps, and rotated. */
export function SecretPanel({ endpoint }: { endpoint: Endpoint }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [isRotating, { open, close }] = useDisclosure();
  const params = { path: { endpoint_id: endpoint.id } };
  const reveal = useChange(
    () => answered(api.POST("/webhooks/endpoints/{endpoint_id}/reveal-secret", { params })),
    setSecret,
  );
  return (
    <Stack gap="xs" align="flex-start">
      {secret === null ? (
        <Text size="sm" c="dimmed">
          Signs every delivery. Showing it is noted in the audit log.
        </Text>
      ) : (
        <Stack gap={4} aria-live="polite">
          <SecretText secret={secret.secret} />
          {secret.previous_secret !== null && (
            <>
              <Text size="xs" c="dimmed">
                The one before, which signs too:
              </Text>
              <SecretText secret={secret.previous_secret} label="Copy the secret before" />
            </>
          )}
        </Stack>
      )}
      {endpoint.previous_secret_until !== null && Date.parse(endpoint.previous_secret_until) > Date.now() && (
        <Text size="sm">
          The secret before signs too and ends <RelativeTime at={endpoint.previous_secret_until} />.
        </Text>
      )}
      {reveal.error !== null && <ProblemAlert error={reveal.error} />}
      <Group gap="xs">
        {secret === null ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconEye size={14} />}
            loading={reveal.isPending}
            onClick={() => reveal.mutate(undefined)}
          >
            Show the secret
          </Button>
        ) : (
          <Button size="xs" variant="default" leftSection={<IconEyeOff size={14} />} onClick={() => setSecret(null)}>
            Hide
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={open}>
          Rotate
        </Button>
      </Group>
      <RotateDialog endpoint={endpoint} opened={isRotating} onClose={close} onRotated={setSecret} />
    </Stack>
  );
}

const overlaps = [
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
  { value: "1", label: "1 hour" },
  { value: "0", label: "None: the old secret ends at once" },
];

interface RotateDialogProps {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
  onRotated: (secret: Secret) => void;
}

function RotateDialog({ endpoint, opened, onClose, onRotated }: RotateDialogProps) {
  const [hours, setHours] = useState("24");
  const rotate = useChange(
    () =>
      answered(
        api.POST("/webhooks/endpoints/{endpoint_id}/rotate-secret", {
          params: { path: { endpoint_id: endpoint.id } },
          body: { overlap_hours: Number(hours) },
        }),
      ),
    (secret) => {
      onRotated(secret);
      onClose();
    },
  );
  return (
    <Modal opened={opened} onClose={onClose} title="Rotate the secret" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          A new secret signs from now on. While the old one signs too, a receiver with either of them verifies every
          delivery, so you can change it over in peace.
        </Text>
        <Select
          label="The old secret signs too for"
          data={overlaps}
          value={hours}
          onChange={(value) => setHours(value ?? "24")}
          allowDeselect={false}
        />
        {rotate.error !== null && <ProblemAlert error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
