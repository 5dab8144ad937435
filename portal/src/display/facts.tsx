import { Table } from "@mantine/core";
import type { ReactNode } from "react";

interface FactsProps {
  rows: readonly (readonly [name: string, value: ReactNode])[];
  /** The width of the column of names, in pixels. */
  nameWidth?: number;
}

/** Facts about one thing: names next to values, without boxes. */
export function Facts({ rows, nameWidth = 150 }: FactsProps) {
  return (
    <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={nameWidth} fw={400} c="dimmed" fz="sm" style={{ verticalAlign: "top" }}>
              {name}
            </Table.Th>
            <Table.Td fz="sm" style={{ overflowWrap: "anywhere" }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
