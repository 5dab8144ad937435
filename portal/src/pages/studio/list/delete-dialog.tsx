import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { ErrorAlert } from "../../../display/error-alert.tsx";

interface DeleteDialogProps {
  count: number;
  error: Error | null;
  isPending: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks before drafts are deleted, which nothing takes back. */
export const DeleteDialog = ({ count, error, isPending, onDelete, onClose }: DeleteDialogProps) => (
  <Modal opened onClose={onClose} title="Delete drafts?" closeButtonProps={{ "aria-label": "Close" }}>
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Text size="sm">
        Of the {count} selected beats, those that were never on sale are deleted with their files. The others stay. This
        cannot be undone.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep them
        </Button>
        <Button color="red" loading={isPending} onClick={onDelete}>
          Delete drafts
        </Button>
      </Group>
    </Stack>
  </Modal>
);
