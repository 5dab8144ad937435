import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";

interface DeleteDialogProps {
  count: number;
  error: Error | null;
  isPending: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Asks before drafts are deleted, because the deletion cannot be undone. */
export const DeleteDialog = ({ count, error, isPending, onDelete, onClose }: DeleteDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    title={t("studio.deleteDraftsQuestion")}
    closeButtonProps={{ "aria-label": t("shell.close") }}
  >
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Text size="sm">{t("studio.deleteDraftsWarning", { count })}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("studio.keepThem")}
        </Button>
        <Button color="red" loading={isPending} onClick={onDelete}>
          {t("studio.confirmDraftDeletion")}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
