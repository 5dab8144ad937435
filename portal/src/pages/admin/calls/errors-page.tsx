import { Alert, Anchor, SegmentedControl, Stack, Table } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import { refusalLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../../display/docs-links.tsx";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import type { ErrorsSearch } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";

const route = getRouteApi("/frame/signed-in/operators/admin/errors");

/** The errors of all accounts by kind and operation. */
export function ErrorsPage() {
  const { span = "day" } = route.useSearch();
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "errors", span],
    queryFn: () => unwrap(api.GET("/admin/errors", { params: { query: { span } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Errors by kind"
      lead="Refused and failed calls of all accounts, most frequent first. Calls with unknown keys are not counted here."
      actions={
        <SegmentedControl
          aria-label="Time"
          size="xs"
          data={[
            { value: "hour", label: "Last hour" },
            { value: "day", label: "24 hours" },
            { value: "week", label: "7 days" },
          ]}
          value={span}
          onChange={(value) => void navigate({ to: "/admin/errors", search: { span: value } as ErrorsSearch })}
        />
      }
    >
      <Stack gap="sm">
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {data?.limits_problem != null && (
          <Alert color="red" icon={<IconAlertTriangle />} title="Limits are not shared">
            {data.limits_problem}. Each instance counts the calls of a key for itself, so with three instances a caller
            can get three times the limit.
          </Alert>
        )}
        {isPending && <RowsSkeleton rows={10} height={32} />}
        {data?.errors.length === 0 && (
          <EmptyState icon={IconCircleCheck} title="No errors">
            No call of an account was refused or failed in this time.
          </EmptyState>
        )}
        {data !== undefined && data.errors.length > 0 && (
          <AdminTable
            label="Errors"
            head={["Status", "Operation", "Kind", "Why", "Calls", "Accounts", "First", "Last"]}
            numbers={[4, 5]}
            minWidth={960}
          >
            {data.errors.map((error) => (
              <Table.Tr key={`${error.status} ${error.refused_by} ${error.operation}`}>
                <Table.Td>
                  <StatusBadge status={error.status} />
                </Table.Td>
                <Table.Td>
                  <Anchor
                    inherit
                    renderRoot={(props) => (
                      <Link
                        to="/admin/calls"
                        search={{ operation: error.operation, status: error.status }}
                        {...props}
                      />
                    )}
                  >
                    {error.operation === "none" ? "unknown path" : error.operation}
                  </Anchor>
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>{refusalLabel(error.refused_by)}</Table.Td>
                <Table.Td maw={320}>
                  {error.reason}{" "}
                  <DocsLink place={placeOfRefusal(error.status, error.refused_by)}>
                    {aboutRefusal(error.status)}
                  </DocsLink>
                </Table.Td>
                <Table.Td ta="right">{error.calls.toLocaleString("en")}</Table.Td>
                <Table.Td ta="right">{error.accounts.toLocaleString("en")}</Table.Td>
                <Table.Td>
                  <RelativeTime at={error.first_at} />
                </Table.Td>
                <Table.Td>
                  <RelativeTime at={error.last_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </AdminTable>
        )}
      </Stack>
    </Page>
  );
}
