import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";

interface ConfirmRemovalProps {
  title: string;
  /** The consequence of the removal. */
  consequence: string;
  /** The label of the button. */
  action: string;
  remove: {
    mutate: (input: undefined, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: Error | null;
  };
  onClose: () => void;
}

/** Asks before the removal of a sign-in method. */
export const ConfirmRemoval = ({ title, consequence, action, remove, onClose }: ConfirmRemovalProps) => (
  <Modal opened onClose={onClose} closeButtonProps={{ "aria-label": t("shell.close") }} title={title}>
    <Stack>
      {remove.error !== null && <ErrorAlert error={remove.error} />}
      <Text size="sm">{consequence}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("shell.cancel")}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined, { onSuccess: onClose })}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
