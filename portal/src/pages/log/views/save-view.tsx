import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { createView, useViewMutation } from "./saved-views.ts";

interface SaveViewProps {
  query: string;
  onClose: () => void;
}

/** Gives the page's filters a name. */
export function SaveView({ query, onClose }: SaveViewProps) {
  const [name, setName] = useState("");
  const save = useViewMutation(createView);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") save.mutate({ name: name.trim(), query }, { onSuccess: onClose });
  };
  return (
    <GuardedModal opened onClose={onClose} title="Save these filters" closeButtonProps={{ "aria-label": "Close" }}>
      <GuardedForm onSubmit={submit} error={save.error}>
        <Stack>
          <TextInput
            label="Name"
            placeholder="Refused orders"
            value={name}
            maxLength={60}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
            required
          />
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            The view is kept with your account, so you have it in every browser. A time such as “24 h” stays relative to
            now.
          </Text>
          {save.error !== null && <ErrorAlert error={save.error} />}
          <Group justify="flex-end" gap="xs">
            <CloseDialogButton>Cancel</CloseDialogButton>
            <Button type="submit" loading={save.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </GuardedForm>
    </GuardedModal>
  );
}
