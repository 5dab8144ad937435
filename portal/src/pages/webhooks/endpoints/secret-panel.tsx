import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { Endpoint, Secret } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { FutureTime } from "../../../display/relative-time.tsx";
import { Select } from "../../../display/select.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";
import { SecretText } from "./secret-text.tsx";

/** Shows and rotates the secret of an endpoint. The audit log records each time it is shown. */
export function SecretPanel({ endpoint }: { endpoint: Endpoint }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [isRotating, { open, close }] = useDisclosure();
  const params = { path: { endpoint_id: endpoint.id } };
  const reveal = useWebhookMutation(
    () => unwrap(api.POST("/webhooks/endpoints/{endpoint_id}/reveal-secret", { params })),
    setSecret,
  );
  return (
    <Stack gap="xs" align="flex-start">
      {secret === null ? (
        <Text size="sm" c="dimmed">
          Signs every {endpoint.kind === "s3" ? "object" : "delivery"}. The audit log records when it is shown.
        </Text>
      ) : (
        <Stack gap={4} aria-live="polite">
          <SecretText secret={secret.secret} />
          {secret.previous_secret !== null && (
            <>
              <Text size="xs" c="dimmed">
                The previous secret, which still signs:
              </Text>
              <SecretText secret={secret.previous_secret} label="Copy the previous secret" />
            </>
          )}
        </Stack>
      )}
      {endpoint.previous_secret_until !== null && Date.parse(endpoint.previous_secret_until) > Date.now() && (
        <Text size="sm">
          The previous secret still signs until it expires <FutureTime at={endpoint.previous_secret_until} />.
        </Text>
      )}
      {reveal.error !== null && <ErrorAlert error={reveal.error} />}
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
  { value: "0", label: "None: the old secret expires at once" },
];

interface RotateDialogProps {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
  onRotated: (secret: Secret) => void;
}

function RotateDialog({ endpoint, opened, onClose, onRotated }: RotateDialogProps) {
  const [hours, setHours] = useState("24");
  const [isForced, setForced] = useState(false);
  const until = endpoint.previous_secret_until;
  const mustForce = until !== null && Date.parse(until) > Date.now() && hours !== "0";
  const rotate = useWebhookMutation(
    () =>
      unwrap(
        api.POST("/webhooks/endpoints/{endpoint_id}/rotate-secret", {
          params: { path: { endpoint_id: endpoint.id } },
          body: { overlap_hours: Number(hours), force: isForced },
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
          A new secret signs from now on. During the overlap both secrets sign each delivery, so a receiver can use
          either one.
        </Text>
        <Select
          label="Overlap: the old secret still signs for"
          data={overlaps}
          value={hours}
          onChange={(value) => setHours(value ?? "24")}
        />
        {mustForce && (
          <Checkbox
            label="Let the previous secret expire at once"
            description={
              <>
                It still signs, until it expires <FutureTime at={until} />. Receivers that use it would refuse
                deliveries.
              </>
            }
            checked={isForced}
            onChange={(event) => setForced(event.currentTarget.checked)}
          />
        )}
        {rotate.error !== null && <ErrorAlert error={rotate.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} disabled={mustForce && !isForced} onClick={() => rotate.mutate(undefined)}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
