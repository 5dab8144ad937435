import { Group, Paper, Text } from "@mantine/core";
import { moneyText } from "../../display/beats/money.ts";
import type { SalesSum } from "./sales-queries.ts";

/** The sums of all sales that the filters pass. */
export function SalesSums({ sum: { currency, sales, sold, refunded, net } }: { sum: SalesSum }) {
  const facts = [
    { label: "Sales", value: sales.toLocaleString("en") },
    { label: "Sold", value: moneyText(sold, currency) },
    { label: "Refunded", value: moneyText(refunded, currency) },
    { label: "Net", value: moneyText(net, currency) },
  ];
  return (
    <Group gap="sm" m={0} aria-label={`Sums in ${currency}`} role="group">
      {facts.map(({ label, value }) => (
        <Paper key={label} withBorder p="sm" miw={130}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text fw={600}>{value}</Text>
        </Paper>
      ))}
    </Group>
  );
}
