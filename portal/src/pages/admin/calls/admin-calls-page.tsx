import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconList } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { durationLabel, refusalLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { CopyButton } from "../../../display/copy-button.tsx";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { TimeZoneSwitch } from "../../../display/time-zone.tsx";
import { AccountIdField } from "../account-id-field.tsx";
import { AccountLink } from "../account-link.tsx";
import { type AdminCallsSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs, SearchBox } from "../list-controls.tsx";

const route = getRouteApi("/frame/signed-in/operators/admin/calls");

/** The request log of all accounts. */
export function AdminCallsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<AdminCallsSearch>>[1]) =>
    void navigate({ to: "/admin/calls", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "calls", search],
    queryFn: () => unwrap(api.GET("/admin/calls", { params: { query: search } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="All calls"
      lead="The last 24 hours unless a time is chosen. A request id is found at any time of the last 30 days."
      actions={
        <>
          <TimeZoneSwitch />
          <Button variant="default" renderRoot={(props) => <Link to="/admin/errors" {...props} />}>
            Errors by kind
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        <SearchBox
          label="Search calls"
          placeholder="Request id, path, query, error, user agent"
          value={search.text}
          onSearch={(text) => open({ text })}
        >
          <KindTabs
            label="Outcome"
            value={search.class}
            choices={{ "2xx": "2xx", "3xx": "3xx", "4xx": "4xx", "5xx": "5xx" }}
            onChange={(value) => open({ class: value })}
          />
        </SearchBox>
        <Group gap="xs" align="flex-end">
          <AccountIdField
            placeholder="0: unknown keys"
            value={search.account}
            onChange={(account) => open({ account })}
          />
          <DateTimeInput size="xs" label="From" value={search.from} onChange={(from) => open({ from })} />
          <DateTimeInput size="xs" label="To" value={search.to} onChange={(to) => open({ to })} />
          {search.operation !== undefined && (
            <Button size="xs" variant="subtle" color="gray" onClick={() => open({ operation: undefined })}>
              Only {search.operation} ✕
            </Button>
          )}
          {search.status !== undefined && (
            <Button size="xs" variant="subtle" color="gray" onClick={() => open({ status: undefined })}>
              Only {search.status} ✕
            </Button>
          )}
        </Group>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={12} height={32} />}
        {data?.calls.length === 0 && (
          <EmptyState icon={IconList} title={data.next === null ? "No such calls" : "None so far"}>
            {data.next === null ? "Choose another time, or fewer filters." : "Continue with older calls."}
          </EmptyState>
        )}
        {data !== undefined && data.calls.length > 0 && (
          <AdminTable
            label="Calls"
            head={["Status", "Call", "Refused for", "Account", "Duration", "Time", "Request id"]}
            numbers={[4]}
            minWidth={1000}
          >
            {data.calls.map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </AdminTable>
        )}
        {data !== undefined && (
          <CursorPager next={data.next} before={search.before} onOpen={(before) => open({ before })} />
        )}
      </Stack>
    </Page>
  );
}

function CallRow({ call }: { call: components["schemas"]["AdminCall"] }) {
  const address = `${call.path}${call.query && `?${call.query}`}`;
  return (
    <Table.Tr>
      <Table.Td>
        <StatusBadge status={call.status} />
      </Table.Td>
      <Table.Td maw={320}>
        <Text size="xs" ff="monospace" truncate title={address}>
          {call.method} <bdi>{address}</bdi>
        </Text>
      </Table.Td>
      <Table.Td>{refusalLabel(call.refused_by)}</Table.Td>
      <Table.Td>{call.account === null ? "unknown key" : <AccountLink account={call.account} />}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
        {durationLabel(call.duration_ms)}
      </Table.Td>
      <Table.Td>
        <ExactTime at={call.time} />
      </Table.Td>
      <Table.Td ff="monospace" fz="xs" py={4}>
        <Group gap={2} wrap="nowrap">
          <Anchor
            inherit
            title={call.request_id}
            renderRoot={(props) => <Link to="/admin/calls/$callId" params={{ callId: call.id }} {...props} />}
          >
            {call.request_id.slice(-8)}
          </Anchor>
          <CopyButton value={call.request_id} label="Copy request id" />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
