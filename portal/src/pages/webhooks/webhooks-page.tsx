import { Anchor, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconInbox, IconPlus, IconStethoscope, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { type EndpointHealth, endpointsQuery } from "../../api/webhooks.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { EndpointBadge } from "../../display/webhooks/endpoint-badge.tsx";
import { endpointName } from "../../display/webhooks/endpoint-name.ts";
import { HealthStrip } from "../../display/webhooks/health-strip.tsx";
import { Undelivered } from "../../display/webhooks/undelivered.tsx";
import { EndpointForm } from "./endpoints/endpoint-form.tsx";
import { subscriptionLabel } from "./endpoints/subscription-label.ts";
import { useWebhookMutation } from "./use-webhook-mutation.ts";

/** The account's endpoints with the state and results of each. */
export function WebhooksPage() {
  const { data, error, isPending, refetch } = useQuery(endpointsQuery);
  const [isAdding, { open, close }] = useDisclosure();
  const endpoints = data?.endpoints ?? [];
  const hasInbox = endpoints.some(({ kind }) => kind === "inbox");
  return (
    <Page
      title="Webhooks"
      lead="Signed HTTP requests that notify your server of events on the marketplace, or objects with them in your bucket."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconStethoscope size={16} />}
            renderRoot={(props) => <Link to="/webhooks/doctor" {...props} />}
          >
            Signature doctor
          </Button>
          {endpoints.length > 0 && (
            <Permitted to="webhooks:write">
              <Button leftSection={<IconPlus size={16} />} onClick={open}>
                Add endpoint
              </Button>
            </Permitted>
          )}
        </>
      }
    >
      {error !== null && <ErrorAlert error={error} onRetry={refetch} />}
      {isPending && <RowsSkeleton rows={4} height={56} />}
      {data !== undefined && endpoints.length === 0 && <NoEndpoints onAdd={open} />}
      {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
      {endpoints.length > 0 && !hasInbox && <InboxHint />}
      <EndpointForm opened={isAdding} onClose={close} endpoint={null} />
    </Page>
  );
}

function NoEndpoints({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={IconWebhook}
      title="See a verified webhook in a minute"
      action={
        <Group justify="center" gap="xs">
          <Permitted to="webhooks:write">
            <CreateInbox />
            <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onAdd}>
              Add endpoint
            </Button>
          </Permitted>
        </Group>
      }
    >
      An inbox is an endpoint within this portal. It receives real, signed events and shows step by step how each is
      verified. You need no server. If you have one, add its address as an endpoint.
    </EmptyState>
  );
}

function InboxHint() {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={640}>
          An inbox receives events within this portal and shows how each is verified. Use it before your own receiver is
          ready.
        </Text>
        <Permitted to="webhooks:write" isQuiet>
          <CreateInbox variant="default" />
        </Permitted>
      </Group>
    </Paper>
  );
}

function CreateInbox({ variant = "filled" }: { variant?: "filled" | "default" }) {
  const navigate = useNavigate();
  const create = useWebhookMutation(
    () => unwrap(api.POST("/webhooks/inbox")),
    ({ id }) => navigate({ to: "/webhooks/$endpointId", params: { endpointId: id } }),
  );
  return (
    <Stack gap="xs" align="center">
      <Button
        variant={variant}
        leftSection={<IconInbox size={16} />}
        loading={create.isPending}
        onClick={() => create.mutate(undefined)}
      >
        Create an inbox
      </Button>
      {create.error !== null && <ErrorAlert error={create.error} />}
    </Stack>
  );
}

function EndpointTable({ endpoints }: { endpoints: readonly EndpointHealth[] }) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={860} tabIndex={0} role="region" aria-label="Endpoints">
        <Table verticalSpacing="sm" horizontalSpacing="md" styles={{ th: { whiteSpace: "nowrap" } }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Endpoint</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Last deliveries</Table.Th>
              <Table.Th>Last success</Table.Th>
              <Table.Th>Last failure</Table.Th>
              <Table.Th>Not delivered</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function EndpointRow({ endpoint }: { endpoint: EndpointHealth }) {
  return (
    <Table.Tr>
      <Table.Td maw={{ base: 170, sm: 320 }}>
        <Anchor
          size="sm"
          fw={600}
          truncate
          display="block"
          renderRoot={(props) => <Link to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} {...props} />}
        >
          <bdi>{endpointName(endpoint)}</bdi>
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          <bdi>{endpoint.description || subscriptionLabel(endpoint.event_types)}</bdi>
        </Text>
      </Table.Td>
      <Table.Td maw={220}>
        <EndpointBadge endpoint={endpoint} />
        <StateReason endpoint={endpoint} />
      </Table.Td>
      <Table.Td>
        <HealthStrip endpoint={endpoint} />
      </Table.Td>
      <Table.Td>
        <TimeOrNever at={endpoint.last_success_at} />
      </Table.Td>
      <Table.Td>
        <TimeOrNever at={endpoint.last_failure_at} />
      </Table.Td>
      <Table.Td>
        <Undelivered endpoint={endpoint} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Why an endpoint is disabled, or when its failures began. */
function StateReason({ endpoint }: { endpoint: EndpointHealth }) {
  const { state, disabled_reason, failing_since } = endpoint;
  if (state === "enabled" && failing_since === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div" mt={2}>
      {state === "enabled" && failing_since !== null ? (
        <>
          began <RelativeTime at={failing_since} />
        </>
      ) : (
        disabled_reason
      )}
    </Text>
  );
}

const TimeOrNever = ({ at }: { at: string | null }) =>
  at === null ? (
    <Text size="sm" c="dimmed">
      never
    </Text>
  ) : (
    <Text size="sm" component="span">
      <RelativeTime at={at} />
    </Text>
  );
