import { Anchor, Button, Group, Table, Text, Title } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { locale, t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { siteName } from "../../api/site-name.ts";
import { licenseLabels } from "../../display/beats/licenses.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { InvoiceLinks } from "../../display/invoice-links.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { words } from "../../display/words.tsx";
import { receiptQuery } from "./library-queries.ts";
import classes from "./receipt.module.css";

const route = getRouteApi("/frame/signed-in/library/$orderId/receipt");

/** The receipt of an order, for printing or saving as PDF. */
export function ReceiptPage() {
  const { orderId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery(receiptQuery(orderId));
  return (
    <Page
      title={t("library.receiptTitle", { orderId: String(orderId) })}
      actions={
        <div className={classes.screenOnly}>
          <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
            {t("library.printOrSaveAsPDF")}
          </Button>
        </div>
      }
    >
      {isPending && <RowsSkeleton rows={5} height={48} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Receipt receipt={data} />}
      {data !== undefined && data.invoices.length > 0 && (
        <Group gap="md" className={classes.screenOnly}>
          <InvoiceLinks invoices={data.invoices} reader="library" />
        </Group>
      )}
      <Text size="sm" className={classes.screenOnly}>
        <Anchor renderRoot={(props) => <Link to="/library" search={{ order: orderId }} {...props} />}>
          {t("library.backToOrder")}
        </Anchor>
      </Text>
    </Page>
  );
}

const day = new Intl.DateTimeFormat(locale.region, { dateStyle: "long", timeZone: "UTC" });

function Receipt({ receipt: { order, buyer, payment } }: { receipt: components["schemas"]["Receipt"] }) {
  const { beat, license_type, amount, currency, completed_at, created_at, refunded_amount, refunded_at } = order;
  const facts = [
    [t("library.orderRow"), String(order.id)],
    [t("library.paid"), `${day.format(new Date(completed_at ?? created_at))} (UTC)`],
    [t("library.soldTo"), [buyer.name, buyer.email].filter((part) => part !== null).join(", ")],
    [
      t("library.payment"),
      [payment.provider === "sandbox" ? t("library.sandboxNoMoneyMoved") : payment.provider, payment.reference]
        .filter(Boolean)
        .join(", "),
    ],
  ] as const;
  return (
    <div className={classes.receipt}>
      <Title order={2} size="h3">
        {siteName()}
      </Title>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("ui.what")}</Table.Th>
            <Table.Th ta="right">{t("library.amount")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td>
              {words("library.receiptItem", {
                license: licenseLabels[license_type],
                title: <bdi>{beat.title}</bdi>,
                producer: <ProducerLink id={beat.producer_id} name={beat.producer_name} />,
              })}
            </Table.Td>
            <Table.Td ta="right">{moneyText(amount, currency)}</Table.Td>
          </Table.Tr>
          {refunded_at !== null && (
            <Table.Tr>
              <Table.Td>{t("library.paidBackOnUTC", { day: day.format(new Date(refunded_at)) })}</Table.Td>
              <Table.Td ta="right">{moneyText(-refunded_amount, currency)}</Table.Td>
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Td fw={600}>{refunded_at === null ? t("library.total") : t("library.leftAfterRefund")}</Table.Td>
            <Table.Td ta="right" fw={600}>
              {moneyText(amount - refunded_amount, currency)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </div>
  );
}
