import { Anchor, Badge, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../../api/locale.ts";
import { licenseLabels } from "../../display/beats/licenses.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { InvoiceLinks } from "../../display/invoice-links.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import type { Sale } from "./sales-queries.ts";

/** Sales, one per row. */
export const SalesTable = ({ sales }: { sales: readonly Sale[] }) => (
  <Table.ScrollContainer minWidth={900} tabIndex={0} role="region" aria-label={t("nav.sales")}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("sales.sold")}</Table.Th>
          <Table.Th>{t("sales.beat")}</Table.Th>
          <Table.Th>{t("sales.license")}</Table.Th>
          <Table.Th>{t("sales.buyer")}</Table.Th>
          <Table.Th ta="right">{t("sales.amount")}</Table.Th>
          <Table.Th ta="right">{t("sales.refunded")}</Table.Th>
          <Table.Th>{t("sales.invoices")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sales.map((sale) => (
          <Table.Tr key={sale.id}>
            <Table.Td>
              <RelativeTime at={sale.completed_at} />
            </Table.Td>
            <Table.Td>
              <bdi>{sale.beat.title}</bdi>
              {/* On a phone the columns of the amounts are outside the screen. */}
              <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
                {moneyText(sale.amount, sale.currency)}
                {sale.refunded_at !== null &&
                  t("sales.refundedAmount", { refundedAmount: moneyText(sale.refunded_amount, sale.currency) })}
              </Text>
            </Table.Td>
            <Table.Td>
              {sale.license_url === null ? (
                licenseLabels[sale.license_type]
              ) : (
                <Anchor
                  href={ownOrigin(sale.license_url)}
                  target="_blank"
                  rel="noopener"
                  size="sm"
                  aria-label={t("sales.licenseOfOrder", {
                    license: licenseLabels[sale.license_type],
                    id: String(sale.id),
                  })}
                >
                  {licenseLabels[sale.license_type]}
                </Anchor>
              )}
              <LicenseState sale={sale} />
            </Table.Td>
            <Table.Td>
              <Anchor
                size="sm"
                aria-label={t("sales.writeAboutOrder", { name: sale.buyer.name, id: String(sale.id) })}
                renderRoot={(props) => <Link to="/sales/orders/$orderId" params={{ orderId: sale.id }} {...props} />}
              >
                <bdi>{sale.buyer.name}</bdi>
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">{moneyText(sale.amount, sale.currency)}</Table.Td>
            <Table.Td ta="right">
              {sale.refunded_at !== null && (
                <>
                  {moneyText(sale.refunded_amount, sale.currency)}
                  <Text size="xs" c="dimmed" component="div">
                    <RelativeTime at={sale.refunded_at} />
                  </Text>
                </>
              )}
            </Table.Td>
            <Table.Td>
              <Stack gap={2}>
                <InvoiceLinks invoices={sale.invoices} reader="sales" />
              </Stack>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** The state of the license, and the license that it replaced. */
function LicenseState({ sale: { license_status: status, replaces } }: { sale: Sale }) {
  const labels = { refunded: t("sales.refunded"), replaced: t("sales.replaced"), expired: t("sales.expired") };
  return (
    <>
      {status !== "valid" && (
        <Badge ml="xs" size="sm" color="gray" variant="light">
          {labels[status]}
        </Badge>
      )}
      {replaces !== null && (
        <Text size="xs" c="dimmed" component="div">
          {t(replaces.is_renewal ? "sales.renewalOfOrder" : "sales.upgradeOfOrder", {
            orderId: String(replaces.order_id),
          })}
        </Text>
      )}
    </>
  );
}
