import { Alert, Anchor, Badge, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { components } from "../../api/paths.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { ForeignText } from "../../display/foreign-text.tsx";
import { Identifier } from "../../display/identifier.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { DeliveryBadge } from "../webhooks/state-badge.tsx";
import { CallSnippets } from "./call-snippets.tsx";
import { keyLabel } from "./call-table.tsx";
import { durationLabel, StatusBadge } from "./status-badge.tsx";

type CallDetail = components["schemas"]["LoggedCallDetail"];

/** Everything that is known of a call: what was sent, why it was refused, what it made happen, and how to repeat it. */
export function CallView({ call }: { call: CallDetail }) {
  return (
    <Stack gap="lg">
      <Outline call={call} />
      <RefusalNotice call={call} />
      <Part title="Repeat it" actions={<ExplorerButton call={call} />}>
        <CallSnippets call={call} />
      </Part>
      <Part title="What was sent">
        <Stack gap="xs">
          <HeaderTable headers={call.headers} />
          {call.body !== null && <ForeignText text={readable(call.body)} label="Body of the request" />}
        </Stack>
      </Part>
      {call.error !== null && (
        <Part title="What was answered">
          <ForeignText
            text={JSON.stringify({ status: "error", error: call.error }, null, 2)}
            label="Body of the answer"
          />
        </Part>
      )}
      <Part title="Webhooks it caused">
        <CausedEvents call={call} />
      </Part>
    </Stack>
  );
}

function Outline({ call }: { call: CallDetail }) {
  const address = `${call.path}${call.query && `?${call.query}`}`;
  const rows: [string, ReactNode][] = [
    ["Time", <Moment key="time" at={call.time} />],
    ["Duration", durationLabel(call.duration_ms)],
    ["API key", keyLabel(call.key)],
    ["Operation", call.operation ?? "none: the path is none of the API's"],
    ["Request id", <Identifier key="id" value={call.request_id} />],
    [
      "From",
      call.from_explorer ? `the explorer, which has limits of its own (${call.client_address})` : call.client_address,
    ],
  ];
  return (
    <Stack gap="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <StatusBadge status={call.status} />
        <div style={{ flexGrow: 1, minWidth: 0 }}>
          <ForeignText text={`${call.method} ${address}`} label="Method and path" maxHeight={120} />
        </div>
        <CopyButton value={address} label="Copy path" />
      </Group>
      <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={110} fw={400} c="dimmed" fz="sm" style={{ verticalAlign: "top" }}>
                {name}
              </Table.Th>
              <Table.Td fz="sm" style={{ overflowWrap: "anywhere" }}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

const exact = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
});

const Moment = ({ at }: { at: string }) => (
  <>
    {exact.format(new Date(at))} (<RelativeTime at={at} />)
  </>
);

function RefusalNotice({ call: { refusal, error, status } }: { call: CallDetail }) {
  if (refusal === null) return null;
  return (
    <Alert color={status >= 500 ? "red" : "orange"} variant="light" title={refusal.reason}>
      <Stack gap={6}>
        {error !== null && (
          <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
            {error.details}
          </Text>
        )}
        <Text size="sm">
          <strong>What to do:</strong> {refusal.advice}
        </Text>
      </Stack>
    </Alert>
  );
}

function ExplorerButton({ call }: { call: CallDetail }) {
  if (call.operation === null) return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconPlayerPlay size={14} />}
      renderRoot={(its) => <Link to="/explorer" search={{ call: call.id }} {...its} />}
    >
      Open in explorer
    </Button>
  );
}

const HeaderTable = ({ headers }: { headers: CallDetail["headers"] }) => (
  <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label="Headers of the request">
    <Table verticalSpacing={4} fz="xs" withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130}>Header</Table.Th>
          <Table.Th>Value</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {headers.map(({ name, value }) => (
          <Table.Tr key={name}>
            <Table.Td ff="monospace">{name}</Table.Td>
            <Table.Td ff="monospace" dir="ltr" style={{ overflowWrap: "anywhere", unicodeBidi: "isolate" }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

function CausedEvents({ call: { events, method, status } }: { call: CallDetail }) {
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {method === "GET" || method === "HEAD"
          ? "None: reading changes nothing."
          : status >= 400
            ? "None: the call changed nothing."
            : "None: nothing happened that events tell of, or not yet."}
      </Text>
    );
  return (
    <Stack gap="sm">
      {events.map((event) => (
        <Stack key={event.id} gap={4}>
          <Group gap="xs">
            <Badge variant="light" color="gray" radius="sm" tt="none">
              {event.type}
            </Badge>
            <Text size="xs" c="dimmed" component="div">
              <RelativeTime at={event.created_at} />
            </Text>
          </Group>
          {event.deliveries.length === 0 ? (
            <Text size="sm" c="dimmed">
              None of your endpoints subscribes to it.{" "}
              <Anchor size="sm" renderRoot={(its) => <Link to="/webhooks" {...its} />}>
                Set up a webhook
              </Anchor>
            </Text>
          ) : (
            event.deliveries.map((delivery) => (
              <Group key={delivery.id} gap="xs" wrap="nowrap">
                <DeliveryBadge state={delivery.state} isRetry={delivery.attempts > 0} />
                <DeliveryLink delivery={delivery} />
              </Group>
            ))
          )}
        </Stack>
      ))}
    </Stack>
  );
}

const DeliveryLink = ({ delivery }: { delivery: CallDetail["events"][number]["deliveries"][number] }) => (
  <Anchor
    size="sm"
    style={{ overflowWrap: "anywhere" }}
    renderRoot={(its) => <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: delivery.id }} {...its} />}
  >
    {delivery.url === "" ? "Built-in inbox" : delivery.url}
  </Anchor>
);

const Part = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section>
    <Group justify="space-between" mb="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      {actions}
    </Group>
    {children}
  </section>
);

/** JSON with a line for each field; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
