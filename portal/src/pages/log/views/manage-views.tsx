import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type FormEvent, useRef, useState } from "react";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { GuardedModal } from "../../../display/guarded-modal.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { changeView, deleteView, type SavedView, useViewMutation } from "./saved-views.ts";

interface ManageViewsProps {
  views: readonly SavedView[];
  /** The page's filters as a query string; empty if none is set. */
  query: string;
  onClose: () => void;
}

/** Renames and deletes the account's views, and overwrites them with the page's filters. */
export function ManageViews({ views, query, onClose }: ManageViewsProps) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <GuardedModal opened onClose={onClose} title="Your views" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack ref={list} tabIndex={-1} gap="sm" style={{ outline: "none" }}>
        {views.map((view) => (
          // Deleting a view removes its focused button.
          <ViewRow key={view.id} view={view} query={query} onDeleted={() => list.current?.focus()} />
        ))}
        {views.length === 0 && (
          <Text size="sm" c="dimmed">
            None. Set filters, then save them under a name.
          </Text>
        )}
      </Stack>
    </GuardedModal>
  );
}

function ViewRow({ view, query, onDeleted }: { view: SavedView; query: string; onDeleted: () => void }) {
  const [name, setName] = useState(view.name);
  const change = useViewMutation(changeView);
  const removal = useViewMutation(deleteView);
  const trimmed = name.trim();
  const isRenamed = trimmed !== "" && trimmed !== view.name;
  const error = change.error ?? removal.error;
  const rename = (event: FormEvent) => {
    event.preventDefault();
    if (isRenamed) change.mutate({ id: view.id, name: trimmed });
  };
  return (
    <GuardedForm onSubmit={rename} error={error}>
      <Group gap="xs">
        <TextInput
          aria-label={`Name of the view ${view.name}`}
          value={name}
          maxLength={60}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          style={{ flex: "1 1 180px" }}
          dir="auto"
        />
        <Button type="submit" variant="default" disabled={!isRenamed} loading={change.isPending}>
          Rename
        </Button>
        <Button
          variant="default"
          disabled={query === "" || query === view.query}
          onClick={() => change.mutate({ id: view.id, query })}
        >
          Use these filters
        </Button>
        <ActionIcon
          variant="subtle"
          color="red"
          size={36}
          aria-label={`Delete the view ${view.name}`}
          title="Delete"
          loading={removal.isPending}
          onClick={() => removal.mutate(view.id, { onSuccess: onDeleted })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      {error !== null && <ErrorAlert error={error} />}
    </GuardedForm>
  );
}
