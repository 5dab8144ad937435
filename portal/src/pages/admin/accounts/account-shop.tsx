import { Anchor, Badge, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { Facts } from "../../../display/facts.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { Section } from "../../../display/section.tsx";
import { AdminTable } from "../admin-table.tsx";
import { CommissionButton } from "./commission-button.tsx";

type Account = components["schemas"]["AdminAccountDetail"];

const details = {
  none: "not set: nothing is paid out",
  set: "set",
  blocked: "the newest payout failed: nothing is paid there",
} as const;

function stateSuffix(sale: Account["shop"]["sales"][number]): string {
  if (sale.is_refunded) return ", refunded";
  return sale.status === "completed" ? "" : `, ${sale.status}`;
}

/** The beats, sales and money of an account. */
export function AccountShop({ account }: { account: Account }) {
  const { shop } = account;
  const text = (amount: number) => moneyText(amount, shop.currency);
  const percent = `${shop.commission_basis_points / 100} %`;
  return (
    <Stack gap="lg">
      <Section title="Money" actions={<CommissionButton account={account} />}>
        <Facts
          rows={[
            ["Balance", text(shop.balance)],
            ["In the next payout", text(shop.due)],
            ["Payout details", details[shop.payout_details]],
            ["Commission", shop.has_own_commission ? `${percent}, set for this account` : `${percent}, the default`],
            [
              "Sold in 30 days",
              shop.sold.length === 0
                ? "nothing"
                : shop.sold
                    .map(
                      ({ currency, sales, amount, refunded }) =>
                        `${sales.toLocaleString("en")} for ${moneyText(amount, currency)}, ${moneyText(refunded, currency)} refunded`,
                    )
                    .join("; "),
            ],
          ]}
        />
      </Section>
      <List title="Newest sales" head={["Order", "Beat", "License", "Amount", "Time"]} rows={shop.sales}>
        {(sale) => [
          <Anchor
            key="order"
            inherit
            renderRoot={(props) => <Link to="/admin/orders/$orderId" params={{ orderId: sale.id }} {...props} />}
          >
            {sale.id}
          </Anchor>,
          <bdi key="title">{sale.title}</bdi>,
          sale.license_type,
          `${moneyText(sale.amount, sale.currency)}${stateSuffix(sale)}`,
          <RelativeTime key="time" at={sale.created_at} />,
        ]}
      </List>
      <List title="Newest beats" head={["Beat", "Title", "State"]} rows={shop.beats}>
        {(beat) => [
          beat.id,
          <bdi key="title">{beat.title}</bdi>,
          <Badge
            key="state"
            variant="light"
            radius="sm"
            tt="none"
            color={beat.is_taken_down ? "red" : "gray"}
            miw="max-content"
          >
            {beat.is_taken_down ? "taken down" : beat.status}
          </Badge>,
        ]}
      </List>
      <List title="Newest payouts" head={["Payout", "Amount", "State", "Time"]} rows={shop.payouts}>
        {(payout) => [
          payout.id,
          moneyText(payout.amount, payout.currency),
          payout.failure_reason === null ? payout.status : `${payout.status}: ${payout.failure_reason}`,
          <RelativeTime key="time" at={payout.created_at} />,
        ]}
      </List>
      <List title="Newest reports of its beats" head={["Report", "Beat", "State", "Time"]} rows={shop.reports}>
        {(report) => [
          report.id,
          <bdi key="title">{report.title}</bdi>,
          report.state.replaceAll("_", " "),
          <RelativeTime key="time" at={report.created_at} />,
        ]}
      </List>
    </Stack>
  );
}

interface ListProps<Row> {
  title: string;
  head: readonly string[];
  rows: readonly Row[];
  /** The cells of a row. */
  children: (row: Row) => ReactNode[];
}

/** The first rows of a list. A separate page has the complete list. Renders nothing without rows. */
function List<Row extends { id: number }>({ title, head, rows, children }: ListProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <AdminTable label={`Table: ${title}`} head={[...head]} minWidth={480}>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            {children(row).map((cell, place) => (
              <Table.Td key={head[place]}>
                <Text size="sm" component="div">
                  {cell}
                </Text>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </AdminTable>
    </Section>
  );
}
