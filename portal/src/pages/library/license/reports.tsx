import { Table } from "@mantine/core";
import { locale, t } from "../../../api/locale.ts";
import { Section } from "../../../display/section.tsx";
import type { UsageReport } from "./license-queries.ts";

/** The reported usage. Renders nothing without reports. */
export function Reports({ reports }: { reports: readonly UsageReport[] }) {
  if (reports.length === 0) return null;
  return (
    <Section title={t("nav.reports")}>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("library.month")}</Table.Th>
              <Table.Th>{t("library.whoCounted")}</Table.Th>
              <Table.Th>{t("ui.what")}</Table.Th>
              <Table.Th ta="right">{t("library.howMany")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reports.map(({ use, period, source, quantity }) => (
              <Table.Tr key={`${use} ${period} ${source}`}>
                <Table.Td>{period}</Table.Td>
                <Table.Td>
                  <bdi>{source}</bdi>
                </Table.Td>
                <Table.Td>{use}</Table.Td>
                <Table.Td ta="right">{locale.number(quantity)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
