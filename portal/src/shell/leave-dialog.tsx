import { Button, Group, Modal, Text } from "@mantine/core";
import { t } from "../api/locale.ts";

/** Asks whether to leave a page with unsaved input. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal
      opened
      onClose={onStay}
      title={t("shell.leaveWithoutSaving")}
      closeButtonProps={{ "aria-label": t("shell.close") }}
    >
      <Text size="sm">{t("shell.whatYouEnteredOnThis")}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onLeave}>
          {t("shell.leaveThePage")}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {t("shell.stay")}
        </Button>
      </Group>
    </Modal>
  );
}
