import { Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { t } from "../../api/locale.ts";
import { RelativeTime } from "../relative-time.tsx";
import { words } from "../words.tsx";
import { type RefundRequest, refundReasons } from "./refund-reasons.ts";

const states: Readonly<Record<RefundRequest["state"], { label: string; color: string }>> = {
  open: { label: t("contact.waitsForADecision"), color: "orange" },
  granted: { label: t("contact.granted"), color: "teal" },
  refused: { label: t("contact.refused"), color: "gray" },
};

/** Requests for a refund of an order, with their outcomes. */
export const RefundRequests = ({ requests }: { requests: readonly RefundRequest[] }) => (
  <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label={t("contact.requestsForARefund")}>
    {requests.map(({ id, reason, details, state, response, created_at }) => (
      <Paper key={id} component="li" withBorder p="sm">
        <Group gap="xs">
          <Badge color={states[state].color} variant="light">
            {states[state].label}
          </Badge>
          <Text size="xs" c="dimmed" component="div">
            {words("contact.asked", { createdAt: <RelativeTime at={created_at} /> })}
          </Text>
        </Group>
        <Text size="sm" fw={500}>
          {refundReasons[reason]}
        </Text>
        <Text size="sm" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {details ?? t("contact.deletedWithTheBuyersAccount")}
        </Text>
        {response !== null && (
          <Text size="sm" mt="xs" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {words("contact.theResponse", { response })}
          </Text>
        )}
      </Paper>
    ))}
  </Stack>
);
