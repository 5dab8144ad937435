import { Button, Paper, Table, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import { RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";

/** What was done with the account, its keys and its webhooks, when and from where. */
export function AuditLog() {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam }) =>
      answered(api.GET("/audit", { params: { query: pageParam === null ? {} : { before: pageParam } } })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Paper withBorder component="section" aria-labelledby="audit">
      <Title order={2} size="h5" id="audit" p="md" pb={4}>
        Activity
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="sm">
        What was done with the account, its keys and its webhooks. If something is not yours, change the password and
        rotate the keys.
      </Text>
      {isPending && <RowsSkeleton rows={5} />}
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section aria-label="Entries" tabIndex={0} style={{ overflowX: "auto" }}>
          <Table miw={620} verticalSpacing="xs" horizontalSpacing="md" fz="sm">
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
          Show older ones
        </Button>
      )}
    </Paper>
  );
}
