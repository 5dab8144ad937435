import { Badge, Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { type Discount, useEndDiscount } from "./discount-queries.ts";

const states: Record<Discount["state"], { color: string; label: string }> = {
  scheduled: { color: "blue", label: "Scheduled" },
  running: { color: "teal", label: "Running" },
  used_up: { color: "orange", label: "Used up" },
  over: { color: "gray", label: "Over" },
  ended: { color: "gray", label: "Ended" },
};

/** What it takes off, as buyers would say it. */
function effectText({ kind, percent, amount, pack_size, pack_paid }: Discount, currency: string): string {
  switch (kind) {
    case "percent":
      return `${percent} %`;
    case "amount":
      return `${(amount ?? 0).toFixed(2)} ${currency}`;
    case "pack":
      return `${pack_size} for the price of ${pack_paid}`;
    case "ownership":
      return "What a smaller license cost";
  }
}

function scopeText({ beat_ids, license_types }: Discount): string {
  const beats = beat_ids === null ? "All beats" : beat_ids.length === 1 ? "1 beat" : `${beat_ids.length} beats`;
  return license_types === null ? beats : `${beats}, ${license_types.join(", ")}`;
}

export function DiscountTable({ discounts, currency }: { discounts: readonly Discount[]; currency: string }) {
  return (
    <Table.ScrollContainer minWidth={720} tabIndex={0} role="region" aria-label="Discounts">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Discount</Table.Th>
            <Table.Th>Takes off</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th>Until</Table.Th>
            <Table.Th>Uses</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th aria-label="End" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {discounts.map((discount) => (
            <Table.Tr key={discount.id}>
              <Table.Td>
                <bdi>{discount.name}</bdi>
                <Text size="sm" c="dimmed" ff={discount.code === null ? "text" : "monospace"}>
                  {discount.code ?? "Applies by itself"}
                </Text>
              </Table.Td>
              <Table.Td>{effectText(discount, currency)}</Table.Td>
              <Table.Td>{scopeText(discount)}</Table.Td>
              <Table.Td>{discount.valid_until === null ? "Open" : <ExactTime at={discount.valid_until} />}</Table.Td>
              <Table.Td>
                {discount.uses_count.toLocaleString("en")}
                {discount.max_uses !== null && ` of ${discount.max_uses.toLocaleString("en")}`}
              </Table.Td>
              <Table.Td>
                <Badge color={states[discount.state].color} variant="light" radius="sm" tt="none" miw="max-content">
                  {states[discount.state].label}
                </Badge>
              </Table.Td>
              <Table.Td>{discount.state !== "ended" && <EndButton discount={discount} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Ends a discount, after a question. */
function EndButton({ discount }: { discount: Discount }) {
  const [isAsking, { open, close }] = useDisclosure();
  const end = useEndDiscount(close);
  return (
    <Permitted to="studio:write" isQuiet>
      <Button size="xs" variant="subtle" color="red" onClick={open} aria-label={`End ${discount.name}`}>
        End
      </Button>
      <Modal
        opened={isAsking}
        onClose={close}
        title={`End “${discount.name}”?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          {end.error !== null && <ErrorAlert error={end.error} />}
          <Text size="sm">It ends now and cannot begin again. Payments that are open keep their price.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
            <Button color="red" loading={end.isPending} onClick={() => end.mutate(discount.id)}>
              End
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Permitted>
  );
}
