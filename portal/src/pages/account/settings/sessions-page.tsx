import { Badge, Button, Table, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { FutureTime, RelativeTime } from "../../../display/relative-time.tsx";
import { AccountSection, Part } from "./account-section.tsx";
import { useAccountMutation } from "./security-query.ts";

/** Where the account is signed in. */
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
  // The button that had the focus goes with its row.
  const focusHeading = () => heading.current?.querySelector("h2")?.focus();
  const others = data?.sessions.filter(({ is_current }) => !is_current) ?? [];
  const failure = end.error ?? endOthers.error;
  return (
    <AccountSection>
      <div ref={heading}>
        <Part
          id="sessions"
          title="Sessions"
          lead={
            account !== null && (
              <>
                This one ends <FutureTime at={account.session_ends_at} /> at the latest, and after seven days without
                use.
              </>
            )
          }
          actions={
            others.length > 0 && (
              <Button
                variant="default"
                c="red"
                loading={endOthers.isPending}
                onClick={() => endOthers.mutate(undefined, { onSuccess: focusHeading })}
              >
                End all others
              </Button>
            )
          }
        >
          {failure !== null && <ErrorAlert error={failure} />}
          {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <RowsSkeleton rows={3} />}
          {account?.is_demo && (
            <Text size="sm" c="dimmed">
              Everyone who tries this server shares the demo account; the sessions of others are not shown.
            </Text>
          )}
          {data !== undefined && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            <section aria-label="Open sessions" tabIndex={0} style={{ overflowX: "auto" }}>
              <Table miw={560}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Device</Table.Th>
                    <Table.Th>Signed in from</Table.Th>
                    <Table.Th>Signed in</Table.Th>
                    <Table.Th>Last seen</Table.Th>
                    <Table.Th pos="relative">
                      <VisuallyHidden>Actions</VisuallyHidden>
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
                            This one
                          </Badge>
                        )}
                      </Table.Td>
                      <Table.Td ff="monospace">{session.client_address || "not recorded"}</Table.Td>
                      <Table.Td>
                        <RelativeTime at={session.signed_in_at} />
                      </Table.Td>
                      <Table.Td>{session.is_current ? "now" : <RelativeTime at={session.last_seen_at} />}</Table.Td>
                      <Table.Td ta="end">
                        {!session.is_current && (
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            color="red"
                            loading={end.isPending && end.variables === session.id}
                            aria-label={`End ${session.device} from ${session.client_address}`}
                            onClick={() => end.mutate(session.id, { onSuccess: focusHeading })}
                          >
                            End
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
