import { Button, Group, Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "../api/locale.ts";
import { sessionKey, sessionQuery } from "../api/session.ts";
import { dropUnsavedWork } from "../api/unsaved-work.ts";

const pollIntervalMs = 3_000;

/**
 * The notice of a session that ended on a page with unsaved input. The page stays; the user signs in again in another
 * tab.
 */
export function SessionEnded() {
  const client = useQueryClient();
  useQuery({ ...sessionQuery, refetchInterval: pollIntervalMs, refetchOnWindowFocus: "always" });
  const leave = () => {
    dropUnsavedWork();
    void client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      title={t("shell.yourSessionHasEnded")}
    >
      <Text size="sm">{t("shell.whatYouEnteredIsStillHere")}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          {t("shell.confirmLeaving")}
        </Button>
        <Button data-autofocus component="a" href="/portal/sign-in" target="_blank">
          {t("shell.signInNewTab")}
        </Button>
      </Group>
    </Modal>
  );
}
