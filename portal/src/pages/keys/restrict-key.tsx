import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { ApiKey } from "../../api/keys.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../display/guarded-modal.tsx";
import { useKeyMutation } from "../../display/keys/use-key-mutation.ts";
import { GuardedForm } from "../../display/unsaved-work.tsx";

interface RestrictKeyProps {
  /** The key; null closes the dialog. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** The dialog that sets a key's spending cap and allowed addresses. */
export function RestrictKey({ apiKey, onClose }: RestrictKeyProps) {
  return (
    <GuardedModal
      opened={apiKey !== null}
      onClose={onClose}
      title="Restrict API key"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {apiKey !== null && <Restrictions apiKey={apiKey} onClose={onClose} />}
    </GuardedModal>
  );
}

function Restrictions({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [cap, setCap] = useState(apiKey.spending_cap?.toFixed(2) ?? "");
  const [networks, setNetworks] = useState(apiKey.allowed_networks.join("\n"));
  const isAmount = /^\s*(\d{1,7}([.,]\d{1,2})?)?\s*$/.test(cap);
  const restrict = useKeyMutation(() =>
    unwrap(
      api.POST("/keys/{key_id}/restrictions", {
        params: { path: { key_id: apiKey.id } },
        body: {
          spending_cap: cap.trim() === "" ? null : Number(cap.trim().replace(",", ".")),
          allowed_networks: networks.split(/[\s,]+/).filter((network) => network !== ""),
        },
      }),
    ),
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isAmount) restrict.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <GuardedForm onSubmit={save} error={restrict.error}>
      <Stack>
        {restrict.error !== null && <ErrorAlert error={restrict.error} />}
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          A change of what <b dir="auto">{apiKey.name}</b> may do takes effect within a second.
        </Text>
        <TextInput
          label="Spending cap"
          description="The most that its orders may cost in any 30 days. Empty: no cap. An agent can buy only with a key that has a cap."
          inputMode="decimal"
          value={cap}
          onChange={(event) => setCap(event.currentTarget.value)}
          error={isAmount ? undefined : "Enter an amount such as 50 or 49.90."}
          data-autofocus
        />
        <Textarea
          label="Allowed addresses"
          description="IP addresses and networks, one a line, such as 203.0.113.0/24. Empty: all."
          autosize
          minRows={2}
          maxRows={8}
          value={networks}
          onChange={(event) => setNetworks(event.currentTarget.value)}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={restrict.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
