import { Text } from "@mantine/core";
import { t } from "../api/locale.ts";
import { Page } from "../display/page.tsx";
import { words } from "../display/words.tsx";

/** The page that replaces every page of a suspended organisation. */
export function SuspendedPage({ name, reason }: { name: string; reason: string }) {
  return (
    <Page title={t("shell.organisationIsSuspended", { name })}>
      <Text size="sm">{words("shell.suspensionReason", { reason: <span dir="auto">{reason}</span> })}</Text>
      <Text size="sm" maw={640}>
        {t("shell.suspensionConsequences")}
      </Text>
    </Page>
  );
}
