import { Stack, Text } from "@mantine/core";
import { useAccount } from "../../api/session.ts";
import { Page } from "../../display/page.tsx";
import { FutureTime } from "../../display/relative-time.tsx";
import { AuditLog } from "./audit-log.tsx";
import { ChangePassword } from "./change-password.tsx";

/** The account's password and its audit log. */
export function AccountPage() {
  const account = useAccount();
  return (
    <Page
      title="Account and security"
      lead={account === null ? undefined : <span style={{ overflowWrap: "anywhere" }}>{account.email}</span>}
    >
      <Stack gap="md">
        {account !== null && (
          <>
            <ChangePassword isDemo={account.is_demo} />
            <Text size="sm" c="dimmed">
              This session ends <FutureTime at={account.session_ends_at} /> at the latest, and after seven days without
              use.
            </Text>
          </>
        )}
        <AuditLog />
      </Stack>
    </Page>
  );
}
