import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CloseDialogButton } from "../../display/guarded-modal.tsx";
import { Select } from "../../display/select.tsx";
import { GuardedForm } from "../../display/unsaved-work.tsx";
import { type CreatedSandbox, useSandboxMutation } from "./sandboxes.ts";

const catalogues = [
  { value: "demo", label: "500 invented beats" },
  { value: "empty", label: "No beats" },
];

interface CreateSandboxProps {
  onCreated: (sandbox: CreatedSandbox) => void;
}

/** The form of a new sandbox. */
export function CreateSandbox({ onCreated }: CreateSandboxProps) {
  const [seed, setSeed] = useState("");
  const [url, setUrl] = useState("");
  const [catalogue, setCatalogue] = useState<"demo" | "empty">("demo");
  const create = useSandboxMutation(() => {
    const body = { catalogue, ...(seed !== "" && { seed }), ...(url !== "" && { webhook_url: url }) };
    return unwrap(api.POST("/sandboxes", { body }));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: ({ sandbox }) => onCreated(sandbox) });
  };
  return (
    <GuardedForm onSubmit={submit} error={create.error}>
      <Stack>
        {create.error !== null && <ErrorAlert error={create.error} />}
        <TextInput
          label="Seed"
          description="The same seed and calls make the same ids, beats, buyers and events. Empty: a random one."
          placeholder="checkout-flow"
          value={seed}
          onChange={(event) => setSeed(event.currentTarget.value)}
          maxLength={64}
          data-autofocus
        />
        <Select
          label="Catalogue"
          data={catalogues}
          value={catalogue}
          onChange={(value) => setCatalogue(value === "empty" ? "empty" : "demo")}
        />
        <TextInput
          label="Webhook address"
          description="Optional: receives all events. https://receiver.example is a simulated receiver, which accepts every event."
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          maxLength={2_048}
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={create.isPending}>
            Create sandbox
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
