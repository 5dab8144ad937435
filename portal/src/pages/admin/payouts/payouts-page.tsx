import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconCash } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { type PayoutsSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs } from "../list-controls.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";
import { PayoutRuns } from "./payout-runs.tsx";

type Payout = components["schemas"]["AdminPayout"];

const route = getRouteApi("/frame/signed-in/operators/admin/payouts");

/** Runs of payouts, held balances, and the outcome of each payout. */
export function AdminPayoutsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<PayoutsSearch>>[1]) =>
    void navigate({ to: "/admin/payouts", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "payouts", search],
    queryFn: () => unwrap(api.GET("/admin/payouts", { params: { query: search } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Payouts" lead="What producers are paid. A run continues in the background, and after a restart.">
      <Stack gap="xl">
        <PayoutRuns />
        <Stack gap="sm">
          <Group>
            <KindTabs
              label="State of the payout"
              value={search.status}
              choices={{ pending: "Pending", sent: "Sent", paid: "Paid", failed: "Failed" }}
              onChange={(status) => open({ status })}
            />
          </Group>
          {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
          {isPending && <RowsSkeleton rows={6} height={32} />}
          {data?.payouts.length === 0 && (
            <EmptyState icon={IconCash} title="No such payouts">
              A run makes a payout for each producer with money that is due.
            </EmptyState>
          )}
          {data !== undefined && data.payouts.length > 0 && (
            <AdminTable
              label="Payouts"
              head={["Payout", "Run", "Time", "State", "Producer", "Amount", "Change"]}
              numbers={[5]}
            >
              {data.payouts.map((payout) => (
                <PayoutRow key={payout.id} payout={payout} />
              ))}
            </AdminTable>
          )}
          {data !== undefined && (
            <CursorPager next={data.next} before={search.before} onOpen={(before) => open({ before })} />
          )}
        </Stack>
      </Stack>
    </Page>
  );
}

const colors = { pending: "yellow", sent: "blue", paid: "teal", failed: "red" } as const;

function PayoutRow({ payout }: { payout: Payout }) {
  return (
    <Table.Tr>
      <Table.Td>{payout.id}</Table.Td>
      <Table.Td>{payout.run_id}</Table.Td>
      <Table.Td>
        <RelativeTime at={payout.created_at} />
      </Table.Td>
      <Table.Td>
        <Badge color={colors[payout.status]} variant="light" radius="sm" tt="none" miw="max-content">
          {payout.status}
        </Badge>
        {payout.failure_reason !== null && <Text size="xs">{payout.failure_reason}</Text>}
      </Table.Td>
      <Table.Td>
        <bdi>{payout.name}</bdi>
      </Table.Td>
      <Table.Td ta="right">{moneyText(payout.amount, payout.currency)}</Table.Td>
      <Table.Td>
        <Change payout={payout} />
      </Table.Td>
    </Table.Tr>
  );
}

/** A button to retry a failed payout, or to report that a sent or paid one came back. A pending payout has none. */
function Change({ payout: { id, status, amount, currency, later_payout_id } }: { payout: Payout }) {
  const [isOpen, setIsOpen] = useState(false);
  const path = { payout_id: id };
  const retry = useAdminMutation(() => unwrap(api.POST("/admin/payouts/{payout_id}/retry", { params: { path } })));
  const fail = useAdminMutation(
    (reason: string) => unwrap(api.POST("/admin/payouts/{payout_id}/failed", { params: { path }, body: { reason } })),
    () => setIsOpen(false),
  );
  if (status === "pending") return null;
  if (status === "failed" && later_payout_id !== null) return <Text size="sm">In payout {later_payout_id}</Text>;
  if (status === "failed")
    return (
      <>
        {retry.error !== null && <ErrorAlert error={retry.error} />}
        <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(undefined)}>
          Try again
        </Button>
      </>
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        It came back
      </Button>
      <ReasonDialog
        title={`Payout ${id} came back`}
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        reasonHelp="The producer reads it in a mail."
        confirmLabel="Return the money"
        error={fail.error}
        isPending={fail.isPending}
        onConfirm={(reason) => fail.mutate(reason)}
      >
        {moneyText(amount, currency)} go back to the producer's balance. Nothing more is paid to the same details.
      </ReasonDialog>
    </>
  );
}
