import { Group, SegmentedControl, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { type NumberRow, NumberTable } from "./chart-numbers.tsx";
import { Legend } from "./legend.tsx";

interface ChartPanelProps {
  title: string;
  /** A sentence about what the chart shows. */
  note?: string;
  /** The table's column names. The first name belongs to the column of row headers. */
  columns: readonly string[];
  rows: readonly NumberRow[];
  /** The meaning of the colours. */
  legend: readonly { label: string; mark: string }[];
  /** The chart, of a fixed height. */
  children: ReactNode;
}

/** A chart, and a table with the same numbers. Screen readers always get the table; others can show it. */
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
        <Table.ScrollContainer minWidth={0} mah={280} tabIndex={0} role="region" aria-label={`${title}, table`}>
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
