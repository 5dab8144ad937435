import { Alert } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";

/** The pages that show the half of the account that the header names. */
const twice = /^\/(keys|webhooks|log|analytics|library|explorer|sandboxes)(\/|$)/;

/** Says which half a page shows: not all pages have a test half. */
export function ModeNote() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isTwice = twice.test(path);
  return (
    <Alert color={isTwice ? "orange" : "gray"} icon={<IconFlask />} role="status" maw={1200} mx="auto" mb="lg" py="xs">
      {isTwice
        ? "Test half: no money moves, and no mail is sent. Keys begin with bm_test_."
        : "This page shows the live half. API keys, sandboxes, explorer, request log, analytics, webhooks and library have a test half."}
    </Alert>
  );
}
