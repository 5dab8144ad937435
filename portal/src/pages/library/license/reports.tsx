import { Table } from "@mantine/core";
import { Section } from "../../../display/section.tsx";
import type { UsageReport } from "./license-queries.ts";

const count = new Intl.NumberFormat("en");

/** What was reported. Nothing where there is none. */
export function Reports({ reports }: { reports: readonly UsageReport[] }) {
  if (reports.length === 0) return null;
  return (
    <Section title="Reports">
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Month</Table.Th>
              <Table.Th>Who counted</Table.Th>
              <Table.Th>What</Table.Th>
              <Table.Th ta="right">How many</Table.Th>
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
                <Table.Td ta="right">{count.format(quantity)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
