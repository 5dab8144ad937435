import { Badge, Button, Group, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { IconList } from "@tabler/icons-react";
import { ApiCall } from "../../display/calls/api-call.tsx";
import { CallCode } from "../../display/calls/call-code.tsx";
import { StatusBadge } from "../../display/calls/status-badge.tsx";
import { EmptyState } from "../../display/empty-state.tsx";
import { Identifier } from "../../display/identifier.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { DeliveryBadge } from "../../display/webhooks/delivery-badge.tsx";
import { Section } from "./section.tsx";

export function Panels() {
  return (
    <Section title="Panels and badges">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Paper withBorder p="md">
          <Stack gap="xs">
            <Group justify="space-between">
              <Title order={3} size="h4">
                Website
              </Title>
              <Badge variant="default">plus plan</Badge>
            </Group>
            <Text size="sm" c="dimmed">
              Last used 3 minutes ago
            </Text>
            <Progress value={38} aria-label="38 of 100 calls" />
          </Stack>
        </Paper>
        <Group gap="xs">
          {[200, 304, 404, 503].map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
          {(["pending", "sending", "succeeded", "failed", "skipped"] as const).map((state) => (
            <DeliveryBadge key={state} state={state} isRetry={false} />
          ))}
        </Group>
      </SimpleGrid>
      <RowsSkeleton rows={2} />
    </Section>
  );
}

const calls = [
  ["14:03:07.412", "GET", "/v1/beats?genre=3", 200, "3 ms"],
  ["14:03:06.998", "POST", "/v1/orders", 409, "12 ms"],
  ["14:02:51.120", "GET", "/v1/beats/99214", 404, "1 ms"],
] as const;

export function Tables() {
  return (
    <Section title="Tables">
      <Table.ScrollContainer minWidth={480} tabIndex={0} role="region" aria-label="Calls">
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {["Time", "Method", "Path", "Status", "Duration"].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {calls.map(([time, method, path, status, duration]) => (
              <Table.Tr key={time}>
                <Table.Td>{time}</Table.Td>
                <Table.Td>{method}</Table.Td>
                <Table.Td ff="monospace">{path}</Table.Td>
                <Table.Td>
                  <StatusBadge status={status} />
                </Table.Td>
                <Table.Td ta="end">{duration}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

const call = { method: "GET", path: "/beats", query: { genre: 3, limit: 5 } };
const connection = {
  baseUrl: "https://localhost:8443/v1",
  keyVariable: "BEATMARKET_API_KEY",
  caFile: ".data/tls/ca.pem",
};

export function Code() {
  return (
    <Section title="Code and identifiers">
      <Identifier value="req_01M7WD7TG00123456789ABCDEF" />
      <Paper withBorder>
        <CallCode call={call} connection={connection} />
      </Paper>
      <Group>
        <ApiCall call={{ operationId: "listBeats", query: { genre: 3, limit: 5 } }} />
      </Group>
    </Section>
  );
}

export function Empty() {
  return (
    <Section title="Empty">
      <EmptyState icon={IconList} title="No calls yet" action={<Button>Try a call in the explorer</Button>}>
        A call shows here within two seconds.
      </EmptyState>
    </Section>
  );
}
