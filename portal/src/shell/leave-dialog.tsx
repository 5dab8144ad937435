import { Button, Group, Modal, Text } from "@mantine/core";
import { t } from "../api/locale.ts";

/** Asks whether to leave a page or a dialog with unsaved input. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal
      opened
      onClose={onStay}
      title={t("shell.leaveDialogTitle")}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      <Text size="sm">{t("shell.leaveDialogWarning")}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onLeave}>
          {t("shell.leave")}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {t("shell.stay")}
        </Button>
      </Group>
    </Modal>
  );
}
