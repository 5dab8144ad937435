import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { endpointsQuery } from "../../api/webhooks.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { Section } from "../../display/section.tsx";
import { endpointName } from "../../display/webhooks/endpoint-name.ts";
import { HealthStrip } from "../../display/webhooks/health-strip.tsx";
import { Undelivered } from "../../display/webhooks/undelivered.tsx";

const maxShown = 5;

/**
 * Up to five healthy endpoints, those with given-up deliveries first. The banner above lists disabled and failing
 * endpoints. Renders nothing if it lists all.
 */
export function WebhookHealth() {
  const { data, error, isPending, refetch } = useQuery(endpointsQuery);
  const count = data?.endpoints.length ?? 0;
  const endpoints = (data?.endpoints ?? [])
    .filter(({ state, failing_since }) => state === "enabled" && failing_since === null)
    .toSorted((a, b) => Number(b.undelivered.failed > 0) - Number(a.undelivered.failed > 0));
  if (count > 0 && endpoints.length === 0) return null;
  return (
    <Section
      title="Webhooks"
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          {count > maxShown ? `All ${count} endpoints` : "Endpoints"}
        </Anchor>
      }
    >
      {isPending && <RowsSkeleton rows={2} height={48} />}
      {error !== null && data === undefined && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && count === 0 && (
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
              <div style={{ flexShrink: 0 }}>
                <HealthStrip endpoint={endpoint} />
              </div>
            </Group>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
