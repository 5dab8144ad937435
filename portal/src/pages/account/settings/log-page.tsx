import { Button, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { AccountSection, Part } from "./account-section.tsx";

/** Changes to the account, its keys and its webhooks, newest first. */
export function LogPage() {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET("/audit", { params: { query: pageParam === null ? {} : { before: pageParam } } })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <AccountSection>
      <Part
        id="log"
        title="Security log"
        lead="Changes to the account, its keys and its webhooks. If one of them was not you, change the password and rotate the keys."
      >
        {isPending && <RowsSkeleton rows={5} />}
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {entries.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
          <section aria-label="Entries" tabIndex={0} style={{ overflowX: "auto" }}>
            <Table miw={620}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>When</Table.Th>
                  <Table.Th>What</Table.Th>
                  <Table.Th>From</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map(({ id, time, what, subject, by, client_address, user_agent }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <RelativeTime at={time} />
                    </Table.Td>
                    <Table.Td maw={420} style={{ overflowWrap: "anywhere" }}>
                      {what}
                      {subject !== "" && (
                        <Text size="xs" c="dimmed" dir="auto" lineClamp={2}>
                          {subject}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      {by === "operator" ? "the operator" : client_address}
                      <Text size="xs" c="dimmed" lineClamp={1} maw={260} dir="auto" title={user_agent}>
                        {user_agent}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        )}
        {hasNextPage && (
          <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        )}
      </Part>
    </AccountSection>
  );
}
