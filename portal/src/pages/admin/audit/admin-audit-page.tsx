import { Group, Stack, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components, operations } from "../../../api/paths.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Select } from "../../../display/select.tsx";
import { TimeZoneSwitch } from "../../../display/time-zone.tsx";
import { AccountIdField } from "../account-id-field.tsx";
import { AccountLink } from "../account-link.tsx";
import { type AuditSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager } from "../list-controls.tsx";

type Query = NonNullable<operations["listAdminAudit"]["parameters"]["query"]>;

const route = getRouteApi("/frame/signed-in/operators/admin/audit");

const actors = [
  { value: "operators", label: "Operators" },
  { value: "owners", label: "Owners" },
];
/** The actions in the filter. Operators find other actions by the account. */
const actions = [
  { value: "account.suspended", label: "Account suspended" },
  { value: "account.unsuspended", label: "Suspension lifted" },
  { value: "account.operator_marked", label: "Operator marked" },
  { value: "account.operator_unmarked", label: "Operator unmarked" },
  { value: "account.registered", label: "Registered" },
  { value: "account.signed_in", label: "Signed in" },
  { value: "account.signed_in_on_new_device", label: "Signed in from a new device" },
  { value: "account.password_reset", label: "Password reset" },
  { value: "api_key.created", label: "Key created" },
  { value: "api_key.rotated", label: "Key rotated" },
  { value: "api_key.revoked", label: "Key revoked" },
  { value: "api_key.restricted", label: "Key restricted" },
  { value: "api_key.plan_changed", label: "Plan changed" },
  { value: "api_key.version_changed", label: "Version of a key changed" },
  { value: "order.refunded", label: "Order refunded" },
  { value: "webhook_endpoint.secret_revealed", label: "Webhook secret shown" },
  { value: "webhook_endpoint.disabled", label: "Endpoint disabled" },
  { value: "webhook_endpoint.enabled", label: "Endpoint enabled" },
  { value: "webhook_endpoint.replayed", label: "Deliveries replayed" },
];

/** The audit logs of all accounts. */
export function AdminAuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<AuditSearch>>[1]) =>
    void navigate({ to: "/admin/audit", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "audit", search],
    queryFn: () => unwrap(api.GET("/admin/audit", { params: { query: search as Query } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Audit"
      lead="What was done with accounts, by their owners and by operators. Kept for 400 days."
      actions={<TimeZoneSwitch />}
    >
      <Stack gap="sm">
        <Group gap="xs" align="flex-end">
          <Select
            label="Who"
            placeholder="Anyone"
            size="xs"
            w={140}
            clearable
            data={actors}
            value={search.actor === "owners" || search.actor === "operators" ? search.actor : null}
            onChange={(actor) => open({ actor: actor ?? undefined })}
          />
          <Select
            label="Action"
            placeholder="Any"
            size="xs"
            w={200}
            clearable
            data={actions}
            value={search.action ?? null}
            onChange={(action) => open({ action: action ?? undefined })}
          />
          <AccountIdField value={search.account} onChange={(account) => open({ account })} />
          <DateTimeInput size="xs" label="From" value={search.from} onChange={(from) => open({ from })} />
          <DateTimeInput size="xs" label="To" value={search.to} onChange={(to) => open({ to })} />
        </Group>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={12} height={32} />}
        {data?.entries.length === 0 && (
          <EmptyState icon={IconHistory} title="No such entries">
            Choose another time, or fewer filters.
          </EmptyState>
        )}
        {data !== undefined && data.entries.length > 0 && (
          <AdminTable label="Entries" head={["Time", "What", "Account", "By", "From"]}>
            {data.entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
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

function EntryRow({ entry }: { entry: components["schemas"]["AdminAuditEntry"] }) {
  return (
    <Table.Tr>
      <Table.Td>
        <ExactTime at={entry.time} />
      </Table.Td>
      <Table.Td maw={380}>
        {entry.what}
        {entry.subject !== "" && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            <bdi>{entry.subject}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <AccountLink account={entry.account} />
      </Table.Td>
      <Table.Td>
        {entry.by === "owner" && "its owner"}
        {entry.by === "command" && "CLI"}
        {entry.operator !== null && <AccountLink account={entry.operator} />}
      </Table.Td>
      <Table.Td ff="monospace" fz="xs" title={entry.user_agent}>
        {entry.client_address}
      </Table.Td>
    </Table.Tr>
  );
}
