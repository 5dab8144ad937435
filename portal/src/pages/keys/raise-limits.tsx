import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { ApiKey } from "../../api/keys.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../display/guarded-modal.tsx";
import { useKeyMutation } from "../../display/keys/use-key-mutation.ts";
import { Select } from "../../display/select.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";

const plans = [
  { value: "plus", label: "plus: 100 calls a minute, 10,000 a day" },
  { value: "partner", label: "partner: 1,000 calls a minute, 200,000 a day" },
] as const;
type Plan = (typeof plans)[number]["value"];

interface RaiseLimitsProps {
  /** The key; null closes the dialog. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** The dialog that asks the operator for a higher plan. */
export function RaiseLimits({ apiKey, onClose }: RaiseLimitsProps) {
  return (
    <GuardedModal
      opened={apiKey !== null}
      onClose={onClose}
      title="Ask for higher limits"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {apiKey !== null && <Request apiKey={apiKey} onClose={onClose} />}
    </GuardedModal>
  );
}

function Request({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const higher = plans.filter(({ value }) => value !== apiKey.plan);
  const [plan, setPlan] = useState<Plan>(higher[0]?.value ?? "partner");
  const [reason, setReason] = useState("");
  const request = useKeyMutation(() =>
    unwrap(
      api.POST("/keys/{key_id}/limit-requests", {
        params: { path: { key_id: apiKey.id } },
        body: { plan, reason },
      }),
    ),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    request.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <GuardedForm onSubmit={send} error={request.error}>
      <Stack>
        {request.error !== null && <ErrorAlert error={request.error} />}
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          <b dir="auto">{apiKey.name}</b> has the plan {apiKey.plan}. The operator of this service decides, and you get
          a mail.
        </Text>
        <Select
          label="Plan"
          data={higher.map(({ value, label }) => ({ value, label }))}
          value={plan}
          onChange={(value) => setPlan((value ?? plan) as Plan)}
        />
        <Textarea
          label="What are the calls for, and how many do you need?"
          description="The operator reads it."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={2_000}
          minRows={3}
          autosize
          required
          data-autofocus
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={request.isPending} disabled={reason.trim() === ""}>
            Send
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
