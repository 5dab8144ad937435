import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type EndpointHealth, endpointsQuery } from "../../api/webhooks.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";
import { EndpointBadge } from "../../display/webhooks/endpoint-badge.tsx";
import { endpointName } from "../../display/webhooks/endpoint-name.ts";
import { HealthStrip } from "../../display/webhooks/health-strip.tsx";
import { Undelivered } from "../../display/webhooks/undelivered.tsx";

const maxShown = 5;

/** The state of each endpoint, those with trouble first. */
export function WebhookHealth() {
  const { data, error, isPending, refetch } = useQuery(endpointsQuery);
  const endpoints = data?.endpoints.toSorted((a, b) => troubleOf(b) - troubleOf(a)) ?? [];
  return (
    <Section
      title="Webhooks"
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          {endpoints.length > maxShown ? `All ${endpoints.length} endpoints` : "Endpoints"}
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={2} height={48} />}
      {error !== null && data === undefined && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && endpoints.length === 0 && (
        <Text size="sm" c="dimmed">
          No endpoint yet. The built-in inbox shows signed events without a server of yours.
        </Text>
      )}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {endpoints.slice(0, maxShown).map((endpoint) => (
          <li key={endpoint.id}>
            <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Anchor
                  size="sm"
                  fw={500}
                  truncate
                  display="block"
                  renderRoot={(props) => (
                    <Link to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} {...props} />
                  )}
                >
                  <bdi>{endpointName(endpoint)}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed" component="div">
                  Not delivered: <Undelivered endpoint={endpoint} />
                </Text>
              </div>
              <Group gap="sm" wrap="nowrap" align="flex-start" style={{ flexShrink: 0 }}>
                <HealthStrip endpoint={endpoint} />
                <EndpointBadge endpoint={endpoint} />
              </Group>
            </Group>
          </li>
        ))}
      </Stack>
    </Section>
  );
}

const troubleOf = ({ state, failing_since, undelivered }: EndpointHealth): number =>
  state === "disabled" ? 3 : failing_since !== null ? 2 : undelivered.failed > 0 ? 1 : 0;
