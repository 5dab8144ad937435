import { Button, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client.ts";
import { t } from "../api/locale.ts";
import type { components } from "../api/paths.ts";
import { ErrorAlert } from "./error-alert.tsx";
import { RowsSkeleton } from "./page.tsx";
import { RelativeTime } from "./relative-time.tsx";

/**
 * Entries of an account's log, newest first, with a button for older entries. `path` is their path in the portal's API.
 */
export function AuditLog({ path }: { path: "/audit" | "/organisation/audit" }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // The key of the organisation's log begins with "organisation", so a change of the organisation invalidates it.
    queryKey: path.slice(1).split("/"),
    queryFn: ({ pageParam }) =>
      unwrap(api.GET(path, { params: { query: pageParam === null ? {} : { before: pageParam } } })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {isPending && <RowsSkeleton rows={5} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("ui.showOlderEntries")}
        </Button>
      )}
    </>
  );
}

/** A table with time, action, and author or origin. */
function AuditTable({ entries }: { entries: readonly components["schemas"]["AuditEntry"][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={t("ui.entries")} tabIndex={0} style={{ overflowX: "auto" }}>
      <Table miw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("ui.when")}</Table.Th>
            <Table.Th>{t("ui.what")}</Table.Th>
            <Table.Th>{t("ui.from")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ id, time, what, subject, by, person, client_address, user_agent }) => (
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
                {by === "operator" ? t("ui.theOperator") : (person ?? client_address)}
                <Text size="xs" c="dimmed" lineClamp={1} maw={260} dir="auto" title={user_agent}>
                  {user_agent}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
