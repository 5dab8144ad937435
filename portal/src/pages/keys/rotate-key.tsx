import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { ApiKey } from "../../api/keys.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { IssuedKey } from "../../display/keys/issued-key.tsx";
import { useProposedKey } from "../../display/keys/use-proposed-key.ts";
import { Select } from "../../display/select.tsx";

const overlaps = [
  { value: "0", label: "Not at all: it may have leaked" },
  { value: "1", label: "An hour" },
  { value: "24", label: "A day" },
  { value: "168", label: "A week" },
  { value: "720", label: "30 days" },
];

interface RotateKeyProps {
  /** The key; null closes the dialog. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** The dialog that replaces a key. The old one keeps working for the chosen overlap. */
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
  const { propose, create } = useProposedKey((proposed) =>
    unwrap(
      api.POST("/keys/{key_id}/rotate", {
        params: { path: { key_id: apiKey.id } },
        body: { overlap_hours: Number(overlap), proposed },
      }),
    ),
  );
  if (propose.isSuccess) return <IssuedKey value={propose.data.key} create={create} onDone={onClose} />;
  return (
    <Stack>
      {propose.error !== null && <ErrorAlert error={propose.error} />}
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        A new key replaces <b dir="auto">{apiKey.name}</b>, with the same name, permissions and lifetime.
      </Text>
      <Select
        label="How long does the old key still work?"
        data={overlaps}
        value={overlap}
        onChange={(value) => setOverlap(value ?? "24")}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={propose.isPending} onClick={() => propose.mutate()}>
          Rotate
        </Button>
      </Group>
    </Stack>
  );
}
