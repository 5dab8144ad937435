import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { AuditTable } from "../../../display/audit-table.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
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
        {entries.length > 0 && <AuditTable entries={entries} />}
        {hasNextPage && (
          <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        )}
      </Part>
    </AccountSection>
  );
}
