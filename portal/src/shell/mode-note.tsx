import { Alert } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { t } from "../api/locale.ts";

/** The pages that show the half of the account that the header names. */
const twice = /^\/(keys|webhooks|log|analytics|library|explorer|sandboxes)(\/|$)/;

/** Says which half a page shows: not all pages have a test half. */
export function ModeNote() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isTwice = twice.test(path);
  return (
    <Alert color={isTwice ? "orange" : "gray"} icon={<IconFlask />} role="status" maw={1200} mx="auto" mb="lg" py="xs">
      {isTwice ? t("shell.testHalfNoMoneyMoves") : t("shell.thisPageShowsTheLive")}
    </Alert>
  );
}
