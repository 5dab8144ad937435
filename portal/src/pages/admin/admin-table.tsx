import { Table } from "@mantine/core";
import type { ReactNode } from "react";

interface AdminTableProps {
  /** The accessible name of the table. */
  label: string;
  head: readonly string[];
  /** The indexes of columns with numbers. */
  numbers?: readonly number[];
  minWidth?: number;
  children: ReactNode;
}

/** A dense table that scrolls sideways on a phone. */
export function AdminTable({ label, head, numbers = [], minWidth = 820, children }: AdminTableProps) {
  return (
    <Table.ScrollContainer minWidth={minWidth} tabIndex={0} role="region" aria-label={label}>
      <Table fz="sm" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {head.map((name, index) => (
              <Table.Th key={name} ta={numbers.includes(index) ? "right" : undefined} style={{ whiteSpace: "nowrap" }}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
