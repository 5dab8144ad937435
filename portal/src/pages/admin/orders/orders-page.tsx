import { Anchor, Stack, Table, Text } from "@mantine/core";
import { IconReceiptRefund } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { AccountLink } from "../account-link.tsx";
import { type OrdersSearch, withChanges } from "../admin-search.ts";
import { AdminTable } from "../admin-table.tsx";
import { CursorPager, KindTabs, SearchBox } from "../list-controls.tsx";
import { OpenRequests } from "./open-requests.tsx";
import { OrderBadge } from "./order-badge.tsx";

type Order = components["schemas"]["AdminOrder"];

const route = getRouteApi("/frame/signed-in/operators/admin/orders");

/** Orders of all accounts, each with a link to its page. */
export function AdminOrdersPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<OrdersSearch>>[1]) =>
    void navigate({ to: "/admin/orders", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "orders", search],
    queryFn: () => unwrap(api.GET("/admin/orders", { params: { query: queryOf(search) } })),
    placeholderData: keepPreviousData,
  });
  const find = (q: string | undefined) => {
    const id = /^#?(\d{1,15})$/.exec(q ?? "")?.[1];
    if (id !== undefined) void navigate({ to: "/admin/orders/$orderId", params: { orderId: Number(id) } });
    else open({ q });
  };
  return (
    <Page title="Orders" lead="Orders of all accounts, newest first; refunds are made on an order's page.">
      <OpenRequests />
      <Stack gap="sm">
        <SearchBox
          label="Search orders"
          placeholder="Order id, buyer's e-mail, beat, producer, or the payment's id"
          value={search.q}
          onSearch={find}
        >
          <KindTabs
            label="State of the order"
            value={search.state}
            choices={{ completed: "Completed", pending: "Pending", failed: "Failed" }}
            onChange={(state) => open({ state })}
          />
        </SearchBox>
        {search.buyer !== undefined && (
          <Text size="sm" c="dimmed">
            Only those of account {search.buyer}.{" "}
            <Anchor component="button" size="sm" onClick={() => open({ buyer: undefined })}>
              Show all
            </Anchor>
          </Text>
        )}
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={10} height={32} />}
        {data?.orders.length === 0 && (
          <EmptyState icon={IconReceiptRefund} title="No such orders">
            An order is found by its id, its buyer's whole address, a part of the beat's title or the producer's name,
            or the payment's id at its provider.
          </EmptyState>
        )}
        {data !== undefined && data.orders.length > 0 && (
          <AdminTable
            label="Orders"
            head={["Order", "Time", "State", "Buyer", "Beat", "License", "Amount"]}
            numbers={[6]}
          >
            {data.orders.map((order) => (
              <OrderRow key={order.id} order={order} />
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

const queryOf = ({ state, ...search }: OrdersSearch) => ({ ...search, ...(state !== undefined && { status: state }) });

function OrderRow({ order }: { order: Order }) {
  return (
    <Table.Tr>
      <Table.Td ff="monospace">
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/admin/orders/$orderId" params={{ orderId: order.id }} {...props} />}
        >
          {order.id}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <RelativeTime at={order.created_at} />
      </Table.Td>
      <Table.Td>
        <OrderBadge order={order} />
      </Table.Td>
      <Table.Td>
        <AccountLink account={order.buyer} />
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="sm" truncate>
          <bdi>{order.beat.title}</bdi>
        </Text>
      </Table.Td>
      <Table.Td>{order.license_type}</Table.Td>
      <Table.Td ta="right">{moneyText(order.amount, order.currency)}</Table.Td>
    </Table.Tr>
  );
}
