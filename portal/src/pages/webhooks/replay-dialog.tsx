import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { fromLocalInput, toLocalInput } from "./local-time.ts";
import { type Endpoint, type ReplayQuery, replayPreviewQuery } from "./queries.ts";
import { useChange } from "./use-change.ts";

interface ReplayDialogProps {
  endpoint: Endpoint;
  opened: boolean;
  onClose: () => void;
}

const choices: { value: ReplayQuery["which"]; label: string; description: string }[] = [
  { value: "undelivered", label: "All that was not delivered", description: "Given up or skipped." },
  { value: "failed", label: "What was given up", description: "After ten failed attempts." },
  { value: "skipped", label: "What was skipped", description: "While the endpoint was disabled." },
  {
    value: "all",
    label: "Everything of a time",
    description: "Also what was delivered, and what the endpoint was never told of. Needs a From.",
  },
];

/** Sends deliveries again, after saying how many that is. */
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
  const replay = useChange(() =>
    answered(
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
        <Text size="sm">{deliveriesInWords(replay.data.replayed)} on their way.</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">Event ids stay the same, so a receiver recognises what it has.</Text>
      <Radio.Group label="What" value={which} onChange={(value) => setWhich(value as ReplayQuery["which"])}>
        <Stack gap="xs" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice.value} {...choice} />
          ))}
        </Stack>
      </Radio.Group>
      <Group gap="xs" grow>
        <TextInput
          label="From"
          type="datetime-local"
          value={toLocalInput(from)}
          onChange={(event) => setFrom(fromLocalInput(event.currentTarget.value))}
        />
        <TextInput
          label="To"
          type="datetime-local"
          value={toLocalInput(to)}
          onChange={(event) => setTo(fromLocalInput(event.currentTarget.value))}
        />
      </Group>
      {preview.error !== null && <ProblemAlert error={preview.error} />}
      {replay.error !== null && <ProblemAlert error={replay.error} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} aria-live="polite">
          {previewInWords(isComplete, count, limit)}
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

const deliveriesInWords = (count: number): string =>
  count === 1 ? "1 delivery is" : `${count.toLocaleString("en")} deliveries are`;

function previewInWords(isComplete: boolean, count: number | undefined, limit: number): string {
  if (!isComplete) return "Say from when on.";
  if (count === undefined) return "Counting…";
  if (count > limit) return `More than ${limit.toLocaleString("en")}; choose a shorter time.`;
  if (count === 0) return "There is nothing to send.";
  return count === 1 ? "1 delivery will be sent." : `${count.toLocaleString("en")} deliveries will be sent.`;
}
