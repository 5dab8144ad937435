import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { answered, api } from "../../api/client.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { IssuedKey } from "./issued-key.tsx";
import type { ApiKey } from "./queries.ts";
import { useKeyChange } from "./use-key-change.ts";

const overlaps = [
  { value: "0", label: "Not at all: it may be in wrong hands" },
  { value: "1", label: "An hour" },
  { value: "24", label: "A day" },
  { value: "168", label: "A week" },
  { value: "720", label: "30 days" },
];

interface RotateKeyProps {
  /** Null: closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** Replaces a key by a new one, while the old one works on for as long as its users need to change over. */
export function RotateKey({ apiKey, onClose }: RotateKeyProps) {
  return (
    <Modal
      opened={apiKey !== null}
      onClose={onClose}
      title="Rotate API key"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {apiKey !== null && <Rotation apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function Rotation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState("24");
  const rotate = useKeyChange(() =>
    answered(
      api.POST("/keys/{key_id}/rotate", {
        params: { path: { key_id: apiKey.id } },
        body: { overlap_hours: Number(overlap) },
      }),
    ),
  );
  if (rotate.isSuccess) return <IssuedKey value={rotate.data.key} onDone={onClose} />;
  return (
    <Stack>
      {rotate.error !== null && <ProblemAlert error={rotate.error} />}
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        A new key replaces <b dir="auto">{apiKey.name}</b>, with the same name, permissions and lifetime.
      </Text>
      <Select
        label="How long does the old key still work?"
        data={overlaps}
        value={overlap}
        onChange={(value) => setOverlap(value ?? "24")}
        allowDeselect={false}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          Rotate
        </Button>
      </Group>
    </Stack>
  );
}
