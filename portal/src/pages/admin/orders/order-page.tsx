import { Alert, Anchor, Group, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { DocumentLink } from "../../../display/document-link.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Facts } from "../../../display/facts.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import { InvoiceLinks } from "../../../display/invoice-links.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { ProducerLink } from "../../../display/producer-link.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { Section } from "../../../display/section.tsx";
import { AccountLink } from "../account-link.tsx";
import { AdminTable } from "../admin-table.tsx";
import { OrderBadge } from "./order-badge.tsx";
import { RefundButton } from "./refund-button.tsx";
import { RefundDecision } from "./refund-decision.tsx";

type Order = components["schemas"]["AdminOrderDetail"];

const route = getRouteApi("/frame/signed-in/operators/admin/orders/$orderId");

/** One order: its history, its payments, and the refund. */
export function AdminOrderPage() {
  const { orderId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "order", orderId],
    queryFn: () => unwrap(api.GET("/admin/orders/{order_id}", { params: { path: { order_id: orderId } } })),
  });
  return (
    <Page
      title={`Order ${orderId}`}
      lead={
        data && (
          <>
            <bdi>{data.beat.title}</bdi>, {data.license_type} license
          </>
        )
      }
      actions={data && <RefundButton order={data} />}
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={8} height={32} />}
      {data !== undefined && <Details order={data} />}
    </Page>
  );
}

function Details({ order }: { order: Order }) {
  const openDisputes = order.disputes.filter(({ status }) => status === "open");
  return (
    <Stack gap="lg">
      {openDisputes.map((dispute) => (
        <Alert
          key={dispute.reference}
          color="orange"
          variant="light"
          icon={<IconAlertTriangle />}
          title={`The buyer's bank disputes ${moneyText(dispute.amount, order.currency)}`}
        >
          {dispute.reason}. Answer it in the provider's dashboard. The amount that the bank has withdrawn cannot also be
          refunded.
        </Alert>
      ))}
      <RefundDecision order={order} />
      <Facts
        rows={[
          ["State", <OrderBadge key="state" order={order} />],
          ["Buyer", <AccountLink key="buyer" account={order.buyer} />],
          [
            "Producer",
            <span key="producer">
              <ProducerLink id={order.beat.producer_id} name={order.beat.producer_name} />, user{" "}
              {order.beat.producer_id}
            </span>,
          ],
          ["Amount", moneyText(order.amount, order.currency)],
          ["Payment", `${order.payment.provider}, ${order.payment.method}`],
          [
            "Payment id",
            order.payment.reference === null ? "none" : <Identifier key="id" value={order.payment.reference} />,
          ],
          [
            "Placed by call",
            order.request_id === null ? "not known" : <RequestLink key="call" id={order.request_id} />,
          ],
          [
            "Invoices",
            order.invoices.length === 0 ? (
              "none"
            ) : (
              <Group key="invoices" gap="sm">
                <InvoiceLinks invoices={order.invoices} reader="admin" />
              </Group>
            ),
          ],
          [
            "Certificate",
            order.certificate === null ? (
              "not issued yet"
            ) : (
              <DocumentLink key="certificate" href={order.certificate.url}>
                verify
              </DocumentLink>
            ),
          ],
        ]}
      />
      <Section title="What happened">
        <AdminTable label="Timeline" head={["Time", "What", "Details"]} minWidth={480}>
          {timeline(order).map(([at, title, details]) => (
            <Table.Tr key={`${at} ${title}`}>
              <Table.Td w={140}>
                <RelativeTime at={at} />
              </Table.Td>
              <Table.Td w={220}>{title}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{details}</Table.Td>
            </Table.Tr>
          ))}
        </AdminTable>
      </Section>
      <Section title="Ledger">
        {order.ledger.length === 0 ? (
          <Text size="sm" c="dimmed">
            No money has moved.
          </Text>
        ) : (
          <AdminTable
            label="Entries of the ledger"
            head={["Time", "Movement", "Account", "Debit", "Credit"]}
            numbers={[3, 4]}
            minWidth={620}
          >
            {order.ledger.flatMap(({ id, at, kind, entries }) =>
              entries.map(({ account, amount }, index) => (
                <Table.Tr key={`${id} ${account}`}>
                  <Table.Td>{index === 0 && <RelativeTime at={at} />}</Table.Td>
                  <Table.Td>{index === 0 && kind}</Table.Td>
                  <Table.Td ff="monospace" fz="xs">
                    {account}
                  </Table.Td>
                  <Table.Td ta="right">{amount > 0 && moneyText(amount, order.currency)}</Table.Td>
                  <Table.Td ta="right">{amount < 0 && moneyText(-amount, order.currency)}</Table.Td>
                </Table.Tr>
              )),
            )}
          </AdminTable>
        )}
      </Section>
    </Stack>
  );
}

const RequestLink = ({ id }: { id: string }) => (
  <Anchor inherit ff="monospace" renderRoot={(props) => <Link to="/admin/calls" search={{ text: id }} {...props} />}>
    {id}
  </Anchor>
);

/** The events of an order, oldest first. */
function timeline(order: Order): [at: string, what: string, details: string][] {
  const amountText = (amount: number) => moneyText(amount, order.currency);
  const events: [string, string, string][] = [
    [order.created_at, "Order placed", ""],
    ...(order.completed_at === null
      ? []
      : ([[order.completed_at, "Paid and completed", ""]] as [string, string, string][])),
    ...(order.certificate === null
      ? []
      : ([[order.certificate.issued_at, "Certificate issued", ""]] as [string, string, string][])),
    ...order.downloads.map((download): [string, string, string] => [
      download.downloaded_at,
      `Downloaded ${download.kind}`,
      "first time",
    ]),
    ...order.refunds.map((refund): [string, string, string] => [
      refund.settled_at ?? refund.created_at,
      `Refund ${refund.id} ${refund.status === "pending" ? "is under way" : refund.status}`,
      [amountText(refund.amount), `by ${origins[refund.origin]}`, refund.reference, refund.failure_reason]
        .filter(Boolean)
        .join(", "),
    ]),
    ...order.disputes.map((dispute): [string, string, string] => [
      dispute.closed_at ?? dispute.opened_at,
      `Dispute ${dispute.status}`,
      [amountText(dispute.amount), dispute.reason, dispute.reference].join(", "),
    ]),
  ];
  if (order.status === "failed") events.push([order.created_at, "Failed", order.failure_reason ?? ""]);
  return events.sort(([a], [b]) => a.localeCompare(b));
}

const origins = {
  operator: "an operator",
  provider: "the provider's dashboard",
  unfulfilled: "the server",
  upgraded: "the server",
} as const;
