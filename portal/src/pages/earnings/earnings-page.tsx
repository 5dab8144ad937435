import { Badge, Button, Group, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { locale, t } from "../../api/locale.ts";
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

/** The account's balance, payout details, split invitations and payouts. */
export function EarningsPage() {
  const { data, error, isPending, refetch } = useQuery(earningsQuery);
  return (
    <Page title={t("nav.earnings")} lead={t("sales.earningsLead")} actions={<StatementFile />}>
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
        label={t("sales.balance")}
        figures={[
          { name: t("sales.balance"), value: text(balance) },
          { name: t("sales.inTheNextPayout"), value: text(due) },
          { name: t("sales.commission"), value: locale.percent(commission_basis_points) },
        ]}
      />
      <Text size="sm" c="dimmed">
        {balance < 0 ? t("sales.negativeBalanceNote") : t("sales.clearingNote", { clearingDays: clearing_days })}
      </Text>
      {clearing.map(({ clears_at, amount }) => (
        <Text size="sm" key={clears_at}>
          {t("sales.amountClearsOn", { amount: text(amount), day: locale.day(new Date(clears_at)) })}
        </Text>
      ))}
    </Stack>
  );
}

const colors = { pending: "yellow", sent: "blue", paid: "teal", failed: "red" } as const;

function Payouts({ earnings: { payouts } }: { earnings: Earnings }) {
  return (
    <Section title={t("nav.payouts")}>
      {payouts.length === 0 ? (
        <Text size="sm">{t("sales.nothingWasPaidOutYet")}</Text>
      ) : (
        <Table.ScrollContainer minWidth={420} tabIndex={0} role="region" aria-label={t("sales.tableOfPayouts")}>
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("sales.payout")}</Table.Th>
                <Table.Th ta="right">{t("sales.amount")}</Table.Th>
                <Table.Th>{t("sales.state")}</Table.Th>
                <Table.Th>{t("sales.time")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {payouts.map((payout) => (
                <Table.Tr key={payout.id}>
                  <Table.Td>{payout.id}</Table.Td>
                  <Table.Td ta="right">{moneyText(payout.amount, payout.currency)}</Table.Td>
                  <Table.Td>
                    <Badge color={colors[payout.status]} variant="light" radius="sm" tt="none" miw="max-content">
                      {t(`payout.${payout.status}`)}
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

/** Links to a month's statement as CSV and PDF. */
function StatementFile() {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  return (
    <Group gap="xs">
      <TextInput
        type="month"
        size="xs"
        aria-label={t("sales.monthUTC")}
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
        {t("sales.statementOfMonth", { month })}
      </Button>
      <Button
        component="a"
        href={`/portal/api/earnings/statement.pdf?month=${month}`}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        aria-label={t("sales.statementOfMonthPdf", { month })}
      >
        {t("sales.pdf")}
      </Button>
    </Group>
  );
}
