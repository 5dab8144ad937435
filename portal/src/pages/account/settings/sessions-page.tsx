import { Badge, Button, Table, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { FutureTime, RelativeTime } from "../../../display/relative-time.tsx";
import { words } from "../../../display/words.tsx";
import { AccountSection, Part } from "./account-section.tsx";
import { useAccountMutation } from "./security-query.ts";

/** The account's sessions. */
export function SessionsPage() {
  const account = useAccount();
  const heading = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["account-sessions"],
    queryFn: () => unwrap(api.GET("/account/sessions")),
  });
  const end = useAccountMutation((id: string) =>
    unwrap(api.DELETE("/account/sessions/{session_id}", { params: { path: { session_id: id } } })),
  );
  const endOthers = useAccountMutation(() => unwrap(api.DELETE("/account/other-sessions")));
  // The removed row contained the focused button, so focus the heading.
  const focusHeading = () => heading.current?.querySelector("h2")?.focus();
  const otherSessions = data?.sessions.filter(({ is_current }) => !is_current) ?? [];
  const failure = end.error ?? endOthers.error;
  return (
    <AccountSection>
      <div ref={heading}>
        <Part
          id="sessions"
          title={t("settings.sessions")}
          lead={
            account !== null &&
            words("settings.currentSessionEnds", { sessionEndsAt: <FutureTime at={account.session_ends_at} /> })
          }
          actions={
            otherSessions.length > 0 && (
              <Button
                variant="default"
                c="red"
                loading={endOthers.isPending}
                onClick={() => endOthers.mutate(undefined, { onSuccess: focusHeading })}
              >
                {t("settings.endAllOthers")}
              </Button>
            )
          }
        >
          {failure !== null && <ErrorAlert error={failure} />}
          {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <RowsSkeleton rows={3} />}
          {account?.is_demo && (
            <Text size="sm" c="dimmed">
              {t("settings.sessionsOfDemo")}
            </Text>
          )}
          {data !== undefined && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            <section aria-label={t("settings.openSessions")} tabIndex={0} style={{ overflowX: "auto" }}>
              <Table miw={560}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("settings.device")}</Table.Th>
                    <Table.Th>{t("settings.signedInFrom")}</Table.Th>
                    <Table.Th>{t("settings.signedIn")}</Table.Th>
                    <Table.Th>{t("settings.lastSeen")}</Table.Th>
                    <Table.Th pos="relative">
                      <VisuallyHidden>{t("settings.actions")}</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.sessions.map((session) => (
                    <Table.Tr key={session.id}>
                      <Table.Td>
                        {session.device}{" "}
                        {session.is_current && (
                          <Badge size="sm" variant="light" tt="none">
                            {t("settings.thisOne")}
                          </Badge>
                        )}
                      </Table.Td>
                      <Table.Td ff="monospace">{session.client_address || t("settings.notRecorded")}</Table.Td>
                      <Table.Td>
                        <RelativeTime at={session.signed_in_at} />
                      </Table.Td>
                      <Table.Td>
                        {session.is_current ? t("settings.now") : <RelativeTime at={session.last_seen_at} />}
                      </Table.Td>
                      <Table.Td ta="end">
                        {!session.is_current && (
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            color="red"
                            loading={end.isPending && end.variables === session.id}
                            aria-label={t("settings.endSessionFrom", {
                              device: session.device,
                              clientAddress: session.client_address,
                            })}
                            onClick={() => end.mutate(session.id, { onSuccess: focusHeading })}
                          >
                            {t("settings.endSession")}
                          </Button>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </section>
          )}
        </Part>
      </div>
    </AccountSection>
  );
}
