import { Text } from "@mantine/core";
import { Page } from "../display/page.tsx";

/** In place of every page of a suspended organisation. */
export function SuspendedPage({ name, reason }: { name: string; reason: string }) {
  return (
    <Page title={`${name} is suspended`}>
      <Text size="sm">
        The operator of this marketplace suspended the organisation: <span dir="auto">{reason}</span>
      </Text>
      <Text size="sm" maw={640}>
        Its API keys are refused and its webhooks wait; nothing is deleted, and beats stay on sale. To appeal, an owner
        replies to the mail that said so. Until then, choose your own account in the account menu.
      </Text>
    </Page>
  );
}
