import { Group, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Bar } from "./bar-chart.tsx";
import { Legend } from "./legend.tsx";
import { outcomes } from "./outcomes.ts";

const count = new Intl.NumberFormat("en");

interface ChartNumbersProps {
  /** The title of the table. */
  title: string;
  /** The bars. Each has one value per entry of `outcomes`. */
  bars: readonly Pick<Bar, "name" | "values">[];
}

/**
 * The numbers below a chart of calls: a legend with sums, and a table with all numbers. Screen readers always get the
 * table.
 */
export function ChartNumbers({ title, bars }: ChartNumbersProps) {
  const [isTable, { toggle }] = useDisclosure(false);
  const sums = outcomes.map(({ label, tone }, index) => {
    const sum = bars.reduce((total, { values }) => total + (values[index] ?? 0), 0);
    return { label: `${label} ${count.format(sum)}`, mark: tone };
  });
  const table = (
    <NumberTable
      title={title}
      columns={["Time", ...outcomes.map(({ label }) => label)]}
      rows={bars.map(({ name, values }) => ({ id: name, name, values: values.map((value) => count.format(value)) }))}
    />
  );
  return (
    <>
      <Group justify="space-between" gap="xs" mt={4}>
        <Legend entries={sums} />
        <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={toggle} aria-expanded={isTable}>
          {isTable ? "Hide the table" : "As a table"}
        </UnstyledButton>
      </Group>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section aria-label={`${title}, table`} tabIndex={0} style={{ maxHeight: 240, overflow: "auto" }}>
          {table}
        </section>
      ) : (
        <VisuallyHidden>{table}</VisuallyHidden>
      )}
    </>
  );
}

export interface NumberRow {
  id: string;
  name: string;
  /** One value for each column after the first. */
  values: readonly string[];
}

interface NumberTableProps {
  title: string;
  columns: readonly string[];
  rows: readonly NumberRow[];
}

/** A chart's numbers as a table. */
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
