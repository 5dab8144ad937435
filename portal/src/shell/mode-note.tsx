import { Alert } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { t } from "../api/locale.ts";

/** Pages that follow the switch between the live and test mode. */
const followsSwitch = /^\/(keys|webhooks|log|analytics|library|explorer|sandboxes)(\/|$)/;

/** In test mode, says whether the page shows test mode or live mode, because not all pages have a test mode. */
export function ModeNote() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const hasTestMode = followsSwitch.test(path);
  return (
    <Alert
      color={hasTestMode ? "orange" : "gray"}
      icon={<IconFlask />}
      role="status"
      maw={1200}
      mx="auto"
      mb="lg"
      py="xs"
    >
      {hasTestMode ? t("shell.testModeNote") : t("shell.liveModeNote")}
    </Alert>
  );
}
