import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { AuditTable } from "../../display/audit-table.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { Part } from "./part.tsx";

/** What members did with the organisation, its keys and its webhooks, newest first. */
export function LogPart() {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ["organisation", "audit"],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET("/organisation/audit", { params: { query: pageParam === null ? {} : { before: pageParam } } })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Part id="log" title="Log" lead="What members did with the organisation, its keys and its webhooks.">
      {isPending && <RowsSkeleton rows={4} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older entries
        </Button>
      )}
    </Part>
  );
}
