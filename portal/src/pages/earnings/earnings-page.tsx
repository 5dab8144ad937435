import { Badge, Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "../../api/paths.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Figures } from "../../display/figures.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { Section } from "../../display/section.tsx";
import { earningsQuery } from "./earnings-query.ts";
import { PayoutDetails } from "./payout-details.tsx";
import { SplitInvitations } from "./split-invitations.tsx";

type Earnings = components["schemas"]["Earnings"];

/** The account's balance, and when and to which bank account it is paid. */
export function EarningsPage() {
  const { data, error, isPending, refetch } = useQuery(earningsQuery);
  return (
    <Page title="Earnings" lead="What your sales bring, when it is paid, and where." actions={<StatementFile />}>
      {isPending && <RowsSkeleton rows={6} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="xl">
          <Balance earnings={data} />
          <PayoutDetails details={data.details} />
          <SplitInvitations />
          <Payouts earnings={data} />
        </Stack>
      )}
    </Page>
  );
}

function Balance({ earnings }: { earnings: Earnings }) {
  const { balance, due, clearing, currency, clearing_days, commission_basis_points } = earnings;
  const text = (amount: number) => moneyText(amount, currency);
  return (
    <Stack gap="xs">
      <Figures
        label="Balance"
        figures={[
          { name: "Balance", value: text(balance) },
          { name: "In the next payout", value: text(due) },
          { name: "Commission", value: `${commission_basis_points / 100} %` },
        ]}
      />
      <Text size="sm" c="dimmed">
        {balance < 0
          ? "Refunds took more than your sales brought. Your next sales settle it."
          : `Money of a sale is paid out from ${clearing_days} days after it, so that a refund can still be made.`}
      </Text>
      {clearing.map(({ clears_at, amount }) => (
        <Text size="sm" key={clears_at}>
          {text(amount)} clear on{" "}
          {new Date(clears_at).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" })} (UTC).
        </Text>
      ))}
    </Stack>
  );
}

const colors = { pending: "yellow", sent: "blue", paid: "teal", failed: "red" } as const;

function Payouts({ earnings: { payouts } }: { earnings: Earnings }) {
  return (
    <Section title="Payouts">
      {payouts.length === 0 ? (
        <Text size="sm">Nothing was paid out yet.</Text>
      ) : (
        <Table.ScrollContainer minWidth={420} tabIndex={0} role="region" aria-label="Payouts">
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Payout</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {payouts.map((payout) => (
                <Table.Tr key={payout.id}>
                  <Table.Td>{payout.id}</Table.Td>
                  <Table.Td ta="right">{moneyText(payout.amount, payout.currency)}</Table.Td>
                  <Table.Td>
                    <Badge color={colors[payout.status]} variant="light" radius="sm" tt="none" miw="max-content">
                      {payout.status}
                    </Badge>
                    {payout.failure_reason !== null && <Text size="xs">{payout.failure_reason}</Text>}
                  </Table.Td>
                  <Table.Td>
                    <RelativeTime at={payout.created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

/** The statement of a month, as CSV and as PDF. */
function StatementFile() {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  return (
    <Group gap="xs">
      <TextInput
        type="month"
        size="xs"
        aria-label="Month (UTC)"
        value={month}
        max={new Date().toISOString().slice(0, 7)}
        onChange={(event) => setMonth(event.currentTarget.value || month)}
      />
      <Button
        component="a"
        href={`/portal/api/earnings/statement.csv?month=${month}`}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
      >
        Statement of {month}
      </Button>
      <Button
        component="a"
        href={`/portal/api/earnings/statement.pdf?month=${month}`}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        aria-label={`Statement of ${month} as PDF`}
      >
        PDF
      </Button>
    </Group>
  );
}
