import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { type Endpoint, type ReplayQuery, replayPreviewQuery } from "../../../api/webhooks.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";

interface ReplayDialogProps {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
}

const choices: { value: ReplayQuery["which"]; label: string; description: string }[] = [
  { value: "undelivered", label: "Everything undelivered", description: "Given up or skipped." },
  { value: "failed", label: "Given up", description: "After ten failed attempts." },
  { value: "skipped", label: "Skipped", description: "While the endpoint was disabled." },
  {
    value: "all",
    label: "Everything in a period",
    description: "Delivered events and events never sent to this endpoint, too. Requires From.",
  },
];

/** The dialog that sends deliveries again, with a preview of their number. */
export function ReplayDialog({ endpoint, opened, onClose }: ReplayDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Replay deliveries"
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
    >
      <ReplayForm endpoint={endpoint} onClose={onClose} />
    </Modal>
  );
}

function ReplayForm({ endpoint, onClose }: Omit<ReplayDialogProps, "opened">) {
  const [which, setWhich] = useState<ReplayQuery["which"]>("undelivered");
  const [from, setFrom] = useState<string | undefined>();
  const [to, setTo] = useState<string | undefined>();
  const query = { which, ...(from && { from }), ...(to && { to }) };
  const isComplete = which !== "all" || from !== undefined;
  const preview = useQuery({ ...replayPreviewQuery(endpoint.id, query), enabled: isComplete });
  const replay = useWebhookMutation(() =>
    unwrap(
      api.POST("/webhooks/endpoints/{endpoint_id}/replay", {
        params: { path: { endpoint_id: endpoint.id } },
        body: query,
      }),
    ),
  );
  const count = isComplete ? preview.data?.count : undefined;
  const limit = preview.data?.limit ?? 0;
  const isTooMany = count !== undefined && count > limit;
  if (replay.data !== undefined)
    return (
      <Stack>
        <Text size="sm">{startedLabel(replay.data.replayed)} on their way.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">Event ids stay the same, so a receiver can skip events it has processed.</Text>
      <Radio.Group label="Which deliveries" value={which} onChange={(value) => setWhich(value as ReplayQuery["which"])}>
        <Stack gap="xs" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice.value} {...choice} />
          ))}
        </Stack>
      </Radio.Group>
      <Group gap="xs" grow>
        <DateTimeInput label="From" value={from} onChange={setFrom} />
        <DateTimeInput label="To" value={to} onChange={setTo} />
      </Group>
      {preview.error !== null && <ErrorAlert error={preview.error} />}
      {replay.error !== null && <ErrorAlert error={replay.error} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} aria-live="polite">
          {previewLabel(isComplete, count, limit)}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={replay.isPending}
            disabled={count === undefined || count === 0 || isTooMany}
            onClick={() => replay.mutate(undefined)}
          >
            Replay
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

const startedLabel = (count: number): string =>
  count === 1 ? "1 delivery is" : `${count.toLocaleString("en")} deliveries are`;

function previewLabel(isComplete: boolean, count: number | undefined, limit: number): string {
  if (!isComplete) return "Choose a start time.";
  if (count === undefined) return "Counting…";
  if (count > limit) return `More than ${limit.toLocaleString("en")}; choose a shorter period.`;
  if (count === 0) return "There is nothing to send.";
  return count === 1 ? "1 delivery will be sent." : `${count.toLocaleString("en")} deliveries will be sent.`;
}
