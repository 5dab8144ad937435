import { Anchor, Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRotateClockwise } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { eventTypeNames } from "../../../api/event-types.ts";
import { countSet } from "../../../api/search-params.ts";
import { type Delivery, deliveriesQuery, type EndpointHealth } from "../../../api/webhooks.ts";
import { DateTimeInput } from "../../../display/date-time-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { FutureTime, RelativeTime } from "../../../display/relative-time.tsx";
import { Select } from "../../../display/select.tsx";
import { DeliveryBadge, deliveryStateOptions } from "../../../display/webhooks/delivery-badge.tsx";
import { useResend } from "../use-webhook-mutation.ts";
import type { DeliveriesSearch } from "../webhooks-search.ts";
import { ReplayDialog } from "./replay-dialog.tsx";

const route = getRouteApi("/frame/signed-in/webhooks/$endpointId");

/** An endpoint's deliveries, newest first. The address contains the filters and the page. */
export function Deliveries({ endpoint }: { endpoint: EndpointHealth }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isReplaying, { open, close }] = useDisclosure();
  const { data, error, isPending, refetch, isPlaceholderData } = useQuery({
    ...deliveriesQuery(endpoint.id, search),
    placeholderData: keepPreviousData,
  });
  const { older_than, newer_than, ...filters } = search;
  const filter = (change: Change) => navigate({ search: withoutEmpty({ ...filters, ...change }), resetScroll: false });
  const goToPage = (cursor: DeliveriesSearch) => navigate({ search: { ...filters, ...cursor }, resetScroll: false });
  const isFiltered = countSet(filters) > 0;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Deliveries
        </Title>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRotateClockwise size={14} />}
          disabled={endpoint.state === "disabled"}
          onClick={open}
        >
          Replay
        </Button>
      </Group>
      <Filters search={filters} onChange={filter} />
      {error !== null && <ErrorAlert error={error} onRetry={refetch} />}
      {isPending && error === null && <RowsSkeleton rows={8} height={42} />}
      {data !== undefined && (
        <>
          <DeliveryTable deliveries={data.deliveries} isFiltered={isFiltered} isStale={isPlaceholderData} />
          <Group justify="flex-end" gap="xs">
            {(data.newer !== null || older_than !== undefined) && (
              <Button variant="subtle" size="xs" onClick={() => goToPage({})}>
                Newest
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              disabled={data.newer === null}
              onClick={() => data.newer !== null && goToPage({ newer_than: data.newer })}
            >
              Newer
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={data.older === null}
              onClick={() => data.older !== null && goToPage({ older_than: data.older })}
            >
              Older
            </Button>
          </Group>
        </>
      )}
      <ReplayDialog endpoint={endpoint} opened={isReplaying} onClose={close} />
    </Stack>
  );
}

/** A change of the filters. Undefined or an empty text removes a filter. */
type Change = { [Name in keyof DeliveriesSearch]: DeliveriesSearch[Name] | undefined };

function withoutEmpty(search: Change): DeliveriesSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ""));
}

function Filters({ search, onChange }: { search: DeliveriesSearch; onChange: (change: Change) => void }) {
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="State"
        size="xs"
        w={130}
        placeholder="Any"
        clearable
        data={deliveryStateOptions}
        value={search.state ?? null}
        onChange={(value) => onChange({ state: (value ?? undefined) as DeliveriesSearch["state"] })}
      />
      <Select
        label="Event"
        size="xs"
        w={160}
        placeholder="Any"
        clearable
        data={[...eventTypeNames]}
        value={search.type ?? null}
        onChange={(value) => onChange({ type: (value ?? undefined) as DeliveriesSearch["type"] })}
      />
      <DateTimeInput label="From" size="xs" value={search.from} onChange={(from) => onChange({ from })} />
      <DateTimeInput label="To" size="xs" value={search.to} onChange={(to) => onChange({ to })} />
      {Object.keys(search).length > 0 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => onChange({ state: undefined, type: undefined, from: undefined, to: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  isFiltered: boolean;
  /** Whether the deliveries are those of the previous filters or page, because the new ones still load. */
  isStale: boolean;
}

function DeliveryTable({ deliveries, isFiltered, isStale }: DeliveryTableProps) {
  const resend = useResend();
  if (deliveries.length === 0)
    return (
      <Paper withBorder p="lg">
        <Text size="sm" c="dimmed" ta="center">
          {isFiltered ? "No delivery matches. Clear the filters to see all." : "No deliveries yet."}
        </Text>
      </Paper>
    );
  return (
    <Paper withBorder style={{ opacity: isStale ? 0.6 : 1 }}>
      {resend.error !== null && <ErrorAlert error={resend.error} />}
      <Table.ScrollContainer minWidth={760} tabIndex={0} role="region" aria-label="Deliveries">
        <Table horizontalSpacing="md" highlightOnHover styles={{ th: { whiteSpace: "nowrap" } }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Event</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Attempts</Table.Th>
              <Table.Th>Response</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>Action</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                isResending={resend.isPending && resend.variables === delivery.id}
                onResend={() => resend.mutate(delivery.id)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  isResending: boolean;
  onResend: () => void;
}

function DeliveryRow({ delivery, isResending, onResend }: DeliveryRowProps) {
  const { state, attempts, next_attempt_at, last_error } = delivery;
  return (
    <Table.Tr>
      <Table.Td maw={{ base: 170, sm: 320 }}>
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => (
            <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: delivery.id }} {...props} />
          )}
        >
          {delivery.type}
          {delivery.test && " (test)"}
        </Anchor>
        <Text size="xs" c="dimmed" ff="monospace" truncate>
          {delivery.event_id}
        </Text>
      </Table.Td>
      <Table.Td>
        <DeliveryBadge state={state} isRetry={attempts > 0} />
      </Table.Td>
      <Table.Td>{delivery.total_attempts.toLocaleString("en")}</Table.Td>
      <Table.Td maw={320}>
        <Text size="sm" truncate {...(last_error !== null && { c: "red" })}>
          {last_error ?? delivery.last_status ?? "–"}
        </Text>
        {next_attempt_at !== null && attempts > 0 && (
          <Text size="xs" c="dimmed">
            next try <FutureTime at={next_attempt_at} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="span">
          <RelativeTime at={delivery.created_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Permitted to="webhooks:write" isQuiet>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Send again: ${delivery.event_id}`}
            loading={isResending || state === "sending"}
            onClick={onResend}
          >
            Send again
          </Button>
        </Permitted>
      </Table.Td>
    </Table.Tr>
  );
}
