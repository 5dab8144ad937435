import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { endpointName } from "../../../display/webhooks/endpoint-name.ts";
import { StateBadge } from "../../../display/webhooks/state-badge.tsx";
import { AccountLink } from "../account-link.tsx";
import { type FleetSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs } from "../list-controls.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Endpoint = components["schemas"]["FleetEndpoint"];

const route = getRouteApi("/frame/signed-in/operators/admin/webhooks");

/** The webhook endpoints of all accounts by health. */
export function FleetPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<FleetSearch>>[1]) =>
    void navigate({ to: "/admin/webhooks", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "webhooks", search],
    queryFn: () => unwrap(api.GET("/admin/webhooks", { params: { query: search } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Webhook fleet"
      lead="The endpoints of all accounts with what they have not received, most pending first."
    >
      <Stack gap="sm">
        <Group gap="sm">
          <KindTabs
            label="Health"
            value={search.health}
            choices={{ failing: "Failing", disabled: "Disabled", waiting: "Backlogged" }}
            onChange={(health) => open({ health })}
          />
          {search.account !== undefined && (
            <Text size="sm" c="dimmed">
              Only those of account {search.account}.{" "}
              <Anchor component="button" size="sm" onClick={() => open({ account: undefined })}>
                Show all
              </Anchor>
            </Text>
          )}
        </Group>
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={8} height={40} />}
        {data?.endpoints.length === 0 && (
          <EmptyState icon={IconWebhook} title={search.health === undefined ? "No endpoints" : "None: all is well"}>
            Endpoints appear here as accounts make them.
          </EmptyState>
        )}
        {data !== undefined && data.endpoints.length > 0 && (
          <AdminTable
            label="Endpoints"
            head={[
              "Endpoint",
              "Account",
              "State",
              "Pending",
              "Failed",
              "Skipped",
              "Oldest pending",
              "Last success",
              "Change",
            ]}
            numbers={[3, 4, 5]}
            minWidth={940}
          >
            {data.endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </AdminTable>
        )}
        {data !== undefined && (
          <CursorPager
            next={data.next}
            before={search.before}
            onOpen={(before) => open({ before })}
            labels={{ first: "First", next: "Next", end: "No more" }}
          />
        )}
      </Stack>
    </Page>
  );
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Table.Tr>
      <Table.Td maw={240}>
        <Text size="sm" truncate title={endpoint.url}>
          <bdi>{endpointName(endpoint)}</bdi>
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {endpoint.id}
        </Text>
      </Table.Td>
      <Table.Td>
        <AccountLink account={endpoint.owner} />
      </Table.Td>
      <Table.Td maw={220}>
        <EndpointState endpoint={endpoint} />
      </Table.Td>
      <Table.Td ta="right">{countText(endpoint.pending)}</Table.Td>
      <Table.Td ta="right">{countText(endpoint.failed)}</Table.Td>
      <Table.Td ta="right">{countText(endpoint.skipped)}</Table.Td>
      <Table.Td>
        {endpoint.oldest_pending_at === null ? "none" : <RelativeTime at={endpoint.oldest_pending_at} />}
      </Table.Td>
      <Table.Td>
        {endpoint.last_success_at === null ? "never" : <RelativeTime at={endpoint.last_success_at} />}
      </Table.Td>
      <Table.Td>
        <Actions endpoint={endpoint} />
      </Table.Td>
    </Table.Tr>
  );
}

const countText = (count: number): string => (count >= 1_000 ? "1,000+" : String(count));

function stateOf({ state, owner, failing_since, disabled_reason, last_error }: Endpoint) {
  if (state === "disabled") return { color: "red", label: "Disabled", reason: disabled_reason };
  if (owner.suspended) return { color: "gray", label: "Waits: suspended", reason: null };
  if (failing_since !== null) return { color: "orange", label: "Failing", reason: last_error };
  return { color: "teal", label: "Healthy", reason: null };
}

function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { color, label, reason } = stateOf(endpoint);
  return (
    <>
      <StateBadge color={color} label={label} />
      {reason !== null && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {reason}
        </Text>
      )}
    </>
  );
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const params = { path: { endpoint_id: endpoint.id } };
  const [isDisabling, setDisabling] = useState(false);
  const enable = useAdminMutation((replay: boolean) =>
    unwrap(api.POST("/admin/webhooks/{endpoint_id}/enable", { params, body: { replay } })),
  );
  const replay = useAdminMutation(() => unwrap(api.POST("/admin/webhooks/{endpoint_id}/replay", { params })));
  const disable = useAdminMutation(
    (reason: string) => unwrap(api.POST("/admin/webhooks/{endpoint_id}/disable", { params, body: { reason } })),
    () => setDisabling(false),
  );
  const error = enable.error ?? replay.error;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {error !== null && <ErrorAlert error={error} />}
      {endpoint.state === "disabled" ? (
        <Button
          size="compact-xs"
          variant="default"
          loading={enable.isPending}
          onClick={() => enable.mutate(endpoint.skipped > 0)}
        >
          {endpoint.skipped > 0 ? "Enable and replay" : "Enable"}
        </Button>
      ) : (
        <>
          {endpoint.failed + endpoint.skipped > 0 && (
            <Button
              size="compact-xs"
              variant="default"
              loading={replay.isPending}
              onClick={() => replay.mutate(undefined)}
            >
              Replay
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDisabling(true)}>
            Disable
          </Button>
        </>
      )}
      <ReasonDialog
        title={`Disable endpoint ${endpoint.id}`}
        opened={isDisabling}
        onClose={() => setDisabling(false)}
        reasonHelp="Its owner reads it, in a mail and on the endpoint's page."
        confirmLabel="Disable"
        isDangerous
        error={disable.error}
        isPending={disable.isPending}
        onConfirm={(reason) => disable.mutate(reason)}
      >
        Nothing is sent to it any more. Events in the meantime are kept for 30 days as skipped deliveries.
      </ReasonDialog>
    </Group>
  );
}
