import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { licenseLabels } from "../../display/beats/licenses.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { RelativeTime } from "../../display/relative-time.tsx";
import type { LibraryOrder } from "./library-queries.ts";
import { OrderFiles } from "./order-files.tsx";
import { OrderState } from "./order-state.tsx";

interface OrderCardProps {
  order: LibraryOrder;
  /** Its files are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

/** An order: what was bought, what became of it, and its files. */
export function OrderCard({ order, isOpen, onToggle }: OrderCardProps) {
  const { id, beat, license_type, amount, currency, status, created_at, next_action } = order;
  const filesId = `files-of-${id}`;
  return (
    <Paper withBorder p="md" component="li">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: "1 1 260px", minWidth: 0 }}>
          <Title order={2} size="h5">
            <bdi>{beat.title}</bdi>
          </Title>
          <Text size="sm" c="dimmed">
            by <bdi>{beat.producer_name}</bdi>
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {licenseLabels[license_type]} license · {moneyText(amount, currency)} · order {id},{" "}
            <RelativeTime at={created_at} />
          </Text>
        </div>
        <OrderState order={order} />
      </Group>
      {status === "pending" && next_action !== null && (
        <Button component="a" href={ownOrigin(next_action.url)} size="xs" mt="sm">
          Finish paying
        </Button>
      )}
      {status === "completed" && (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
          aria-expanded={isOpen}
          aria-controls={filesId}
          aria-label={`Files and certificate of ${beat.title}, order ${id}`}
          onClick={onToggle}
        >
          Files and certificate
        </Button>
      )}
      <div id={filesId}>{isOpen && status === "completed" && <OrderFiles order={order} />}</div>
    </Paper>
  );
}
