import { Alert, Anchor, Badge, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { LoggedCallDetail } from "../../../api/calls.ts";
import { durationLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { Json } from "../../../display/code/json.tsx";
import { parsedJson } from "../../../display/code/json-values.ts";
import { CopyButton } from "../../../display/copy-button.tsx";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../../display/docs-links.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { Facts } from "../../../display/facts.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { UntrustedText } from "../../../display/untrusted-text.tsx";
import { DeliveryBadge } from "../../../display/webhooks/delivery-badge.tsx";
import { keyLabel } from "../list/call-table.tsx";

import { CallSnippets } from "./call-snippets.tsx";

/** A logged call: its outline, the reason for a refusal, code to repeat it, request, error body and events. */
export function CallView({ call }: { call: LoggedCallDetail }) {
  return (
    <Stack gap="lg">
      <Outline call={call} />
      <RefusalNotice call={call} />
      <Part title="Repeat it" actions={<ExplorerButton call={call} />}>
        <CallSnippets call={call} />
      </Part>
      <Part title="Request">
        <Stack gap="xs">
          <HeaderTable headers={call.headers} />
          {call.body !== null && <Body text={call.body} label="Body of the request" />}
        </Stack>
      </Part>
      {call.error !== null && (
        <Part title="Response">
          <Json value={{ status: "error", error: call.error }} label="Body of the response" />
        </Part>
      )}
      <Part title="Webhooks it caused">
        <CausedEvents call={call} />
      </Part>
    </Stack>
  );
}

function Outline({ call }: { call: LoggedCallDetail }) {
  const address = `${call.path}${call.query && `?${call.query}`}`;
  const rows: [string, ReactNode][] = [
    ["Time", <Moment key="time" at={call.time} />],
    ["Duration", durationLabel(call.duration_ms)],
    ["API key", keyLabel(call.key)],
    ["Operation", call.operation ?? "none: unknown path"],
    ["Version", call.version ?? "none"],
    ["Request id", <Identifier key="id" value={call.request_id} />],
    [
      "From",
      call.from_explorer ? `the explorer, with its own rate limits (${call.client_address})` : call.client_address,
    ],
  ];
  return (
    <Stack gap="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <StatusBadge status={call.status} />
        <div style={{ flexGrow: 1, minWidth: 0 }}>
          <UntrustedText text={`${call.method} ${address}`} label="Method and path" maxHeight={120} />
        </div>
        <CopyButton value={address} label="Copy path" />
      </Group>
      <Facts rows={rows} nameWidth={110} />
    </Stack>
  );
}

const Moment = ({ at }: { at: string }) => (
  <>
    <ExactTime at={at} /> (<RelativeTime at={at} />)
  </>
);

function RefusalNotice({ call: { refusal, error, status, refused_by } }: { call: LoggedCallDetail }) {
  if (refusal === null) return null;
  return (
    <Alert color={status >= 500 ? "red" : "orange"} variant="light" title={refusal.reason}>
      <Stack gap="xs">
        {error !== null && (
          <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
            {error.details}
          </Text>
        )}
        <Text size="sm">
          <strong>What to do:</strong> {refusal.advice}{" "}
          <DocsLink place={placeOfRefusal(status, refused_by)}>{aboutRefusal(status)}</DocsLink>
        </Text>
      </Stack>
    </Alert>
  );
}

function ExplorerButton({ call }: { call: LoggedCallDetail }) {
  if (call.operation === null) return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconPlayerPlay size={14} />}
      renderRoot={(props) => <Link to="/explorer" search={{ call: call.id }} {...props} />}
    >
      Open in explorer
    </Button>
  );
}

const HeaderTable = ({ headers }: { headers: LoggedCallDetail["headers"] }) => (
  <Table.ScrollContainer minWidth={0} tabIndex={0} role="region" aria-label="Headers of the request">
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

function noEventsText(method: string, status: number): string {
  if (method === "GET" || method === "HEAD") return "None: reads cause no events.";
  return status >= 400 ? "None: the call failed." : "None, or not yet.";
}

function CausedEvents({ call: { events, method, status } }: { call: LoggedCallDetail }) {
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {noEventsText(method, status)}
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
              <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
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

const DeliveryLink = ({ delivery }: { delivery: LoggedCallDetail["events"][number]["deliveries"][number] }) => (
  <Anchor
    size="sm"
    style={{ overflowWrap: "anywhere" }}
    renderRoot={(props) => (
      <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: delivery.id }} {...props} />
    )}
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

/** A body as it was sent. JSON is collapsible. */
function Body({ text, label }: { text: string; label: string }) {
  const value = parsedJson(text);
  return value === undefined ? (
    <UntrustedText text={text} label={label} />
  ) : (
    <Json value={value} text={text} label={label} />
  );
}
