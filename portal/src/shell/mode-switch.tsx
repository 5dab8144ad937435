import { Button, type ButtonProps } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { t } from "../api/locale.ts";
import { showMode, useMode } from "../api/mode.ts";
import { sessionKey, sessionQuery } from "../api/session.ts";
import { mayLeave } from "../api/unsaved-work.ts";

/**
 * Switches the pages that have a test mode (mode-note.tsx) between the live mode of the account and its test mode.
 * Renders nothing for signed-out users, and on a server without a test mode.
 */
export function ModeSwitch(place: Pick<ButtonProps, "visibleFrom">) {
  const isTest = useMode() === "test";
  const client = useQueryClient();
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  if (session?.account == null || !session.has_test_mode) return null;
  const change = async () => {
    if (!(await mayLeave())) return;
    showMode(isTest ? "live" : "test");
    await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    await router.invalidate();
  };
  return (
    <Button
      size="compact-sm"
      color={isTest ? "orange" : "gray"}
      variant={isTest ? "light" : "subtle"}
      aria-pressed={isTest}
      {...place}
      onClick={() => void change()}
    >
      {t("shell.test")}
    </Button>
  );
}
