import { Group, SegmentedControl, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { Legend } from "./legend.tsx";

interface ChartPanelProps {
  title: string;
  /** A sentence about what the chart shows. */
  note?: string;
  /** The table's column names; the first is that of the row headers. */
  columns: readonly string[];
  rows: readonly { id: string; name: string; values: readonly string[] }[];
  /** The meaning of the colours. */
  legend: readonly { label: string; mark: string }[];
  /** The chart, of a fixed height. */
  children: ReactNode;
}

/** A chart with the same numbers as a table: always there for screen readers, shown on demand. */
export function ChartPanel({ title, note, columns, rows, legend, children }: ChartPanelProps) {
  const [view, setView] = useState("chart");
  const titleId = useId();
  const table = <NumberTable title={title} columns={columns} rows={rows} />;
  return (
    <section aria-labelledby={titleId} style={{ minWidth: 0 }}>
      <Group justify="space-between" mb="sm" gap="xs" align="flex-start" wrap="nowrap">
        <div>
          <Title order={2} size="h3" id={titleId}>
            {title}
          </Title>
          {note !== undefined && (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        <SegmentedControl
          size="xs"
          style={{ flexShrink: 0 }}
          aria-label={`${title}: as chart or table`}
          value={view}
          onChange={setView}
          data={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
        />
      </Group>
      {view === "table" ? (
        <Table.ScrollContainer
          minWidth={0}
          mah={280}
          type="native"
          tabIndex={0}
          role="region"
          aria-label={`${title}, table`}
        >
          {table}
        </Table.ScrollContainer>
      ) : (
        <>
          {children}
          <div aria-hidden style={{ marginTop: 8 }}>
            <Legend entries={legend} />
          </div>
          <VisuallyHidden>{table}</VisuallyHidden>
        </>
      )}
    </section>
  );
}

interface NumberTableProps {
  title: string;
  columns: readonly string[];
  rows: ChartPanelProps["rows"];
}

/** A chart's numbers. */
export const NumberTable = ({ title, columns, rows }: NumberTableProps) => (
  <Table fz="xs" verticalSpacing={4} stickyHeader>
    <caption style={{ display: "none" }}>{title}</caption>
    <Table.Thead>
      <Table.Tr>
        {columns.map((column, index) => (
          <Table.Th key={column} scope="col" ta={index === 0 ? "left" : "right"}>
            {column}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ id, name, values }) => (
        <Table.Tr key={id}>
          <Table.Th scope="row" fw={400} style={{ whiteSpace: "nowrap" }}>
            {name}
          </Table.Th>
          {values.map((value, index) => (
            <Table.Td key={columns[index + 1]} ta="right">
              {value}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
