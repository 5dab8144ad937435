import { Alert, Anchor, Breadcrumbs, Button, Grid, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay, IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { organisationQuery } from "../../../api/organisation.ts";
import { useAccount } from "../../../api/session.ts";
import { type EndpointHealth, endpointQuery } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { EndpointBadge } from "../../../display/webhooks/endpoint-badge.tsx";
import { HealthStrip } from "../../../display/webhooks/health-strip.tsx";
import { Undelivered } from "../../../display/webhooks/undelivered.tsx";
import { Deliveries } from "../deliveries/deliveries.tsx";
import { InboxPanel } from "../inbox/inbox-panel.tsx";
import { EnableDialog } from "./enable-dialog.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { SecretPanel } from "./secret-panel.tsx";
import { subscriptionLabel } from "./subscription-label.ts";
import { TestEvents } from "./test-events.tsx";

const route = getRouteApi("/frame/signed-in/webhooks/$endpointId");

/** One endpoint: its state, secret, deliveries and actions. */
export function EndpointPage() {
  const { endpointId } = route.useParams();
  const { data: endpoint, error, refetch } = useQuery(endpointQuery(endpointId));
  const title = endpoint?.kind === "inbox" ? "Inbox" : `Endpoint ${endpointId}`;
  return (
    <Stack gap="xs">
      <Breadcrumbs fz="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          Webhooks
        </Anchor>
        <Text size="sm">{title}</Text>
      </Breadcrumbs>
      <Page
        title={title}
        lead={endpoint && <Lead endpoint={endpoint} />}
        actions={
          endpoint && (
            <Permitted to="webhooks:write">
              <EndpointActions key={endpoint.id} endpoint={endpoint} />
            </Permitted>
          )
        }
      >
        {error !== null && endpoint === undefined && <ErrorAlert error={error} onRetry={refetch} />}
        {endpoint === undefined && error === null && <RowsSkeleton rows={3} height={110} />}
        {endpoint !== undefined && <EndpointContent endpoint={endpoint} />}
      </Page>
    </Stack>
  );
}

function Lead({ endpoint }: { endpoint: EndpointHealth }) {
  return (
    <Stack gap={2} maw={760}>
      {endpoint.url !== "" && (
        <Text size="sm" ff="monospace" lineClamp={3} style={{ overflowWrap: "anywhere" }}>
          <bdi>{endpoint.url}</bdi>
        </Text>
      )}
      {endpoint.kind === "inbox" && (
        <Text size="sm">Receives events within this portal and verifies them as your server should.</Text>
      )}
      {endpoint.kind === "s3" && (
        <Text size="sm">
          Gets an object of JSON lines with the events of each minute, signed with access key {endpoint.access_key_id}.
        </Text>
      )}
      {endpoint.description !== "" && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          <bdi>{endpoint.description}</bdi>
        </Text>
      )}
    </Stack>
  );
}

function EndpointContent({ endpoint }: { endpoint: EndpointHealth }) {
  return (
    <>
      {endpoint.state === "disabled" && <DisabledAlert endpoint={endpoint} />}
      {endpoint.state === "enabled" && endpoint.failing_since !== null && <FailingAlert endpoint={endpoint} />}
      {endpoint.kind === "inbox" ? (
        <>
          <Permitted to="webhooks:write" isQuiet>
            <TestEvents endpoint={endpoint} />
          </Permitted>
          <InboxPanel endpoint={endpoint} />
          <Overview endpoint={endpoint} />
        </>
      ) : (
        <>
          <Overview endpoint={endpoint} />
          <Permitted to="webhooks:write" isQuiet>
            <TestEvents endpoint={endpoint} />
          </Permitted>
        </>
      )}
      <Deliveries endpoint={endpoint} />
    </>
  );
}

function Overview({ endpoint }: { endpoint: EndpointHealth }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Paper withBorder p="md" h="100%">
          <Details endpoint={endpoint} />
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper withBorder p="md" h="100%">
          <Stack gap="xs">
            <Title order={2} size="h5">
              Signing secret
            </Title>
            <Permitted to="webhooks:write" isQuiet>
              <SecretPanel key={endpoint.id} endpoint={endpoint} />
            </Permitted>
          </Stack>
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

function DisabledAlert({ endpoint }: { endpoint: EndpointHealth }) {
  const [isEnabling, { open, close }] = useDisclosure();
  return (
    <Alert color="red" icon={<IconPlugConnectedX />} title="Nothing is sent to this endpoint">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {endpoint.disabled_reason} Events are kept as skipped for 30 days.
          {endpoint.last_error !== null && ` The last error: ${endpoint.last_error}`}
        </Text>
        <Permitted to="webhooks:write" isQuiet>
          <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={14} />} onClick={open}>
            Enable
          </Button>
        </Permitted>
      </Stack>
      <EnableDialog endpoint={endpoint} opened={isEnabling} onClose={close} />
    </Alert>
  );
}

function FailingAlert({ endpoint }: { endpoint: EndpointHealth }) {
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} title="Deliveries are failing">
      <Text size="sm">
        {endpoint.failing_since !== null && (
          <>
            They began to fail <RelativeTime at={endpoint.failing_since} />.{" "}
          </>
        )}
        {endpoint.last_error} Each delivery is attempted ten times over about three days. After five days without a
        success the endpoint is disabled.
      </Text>
    </Alert>
  );
}

function Details({ endpoint }: { endpoint: EndpointHealth }) {
  const isOrganisation = (useAccount()?.organisation ?? null) !== null;
  const { data } = useQuery({ ...organisationQuery, enabled: isOrganisation });
  const { created_by } = endpoint;
  const member = data?.members.find(({ user_id }) => user_id === created_by);
  const maker = created_by === null ? "The operator" : (member?.email ?? "A former member");
  return (
    <Grid gap="md">
      <Detail label="State">
        <EndpointBadge endpoint={endpoint} />
      </Detail>
      <Detail label="Last deliveries">
        <HealthStrip endpoint={endpoint} />
      </Detail>
      <Detail label="Events">
        {subscriptionLabel(endpoint.event_types)}
        {endpoint.ordered && ", in order"}
      </Detail>
      <Detail label="Version of the API">{endpoint.version}</Detail>
      <Detail label="Not delivered">
        <Undelivered endpoint={endpoint} />
      </Detail>
      <Detail label="Last success">{timeOrNever(endpoint.last_success_at)}</Detail>
      <Detail label="Last failure">{timeOrNever(endpoint.last_failure_at)}</Detail>
      {isOrganisation && <Detail label="Made by">{maker}</Detail>}
    </Grid>
  );
}

const timeOrNever = (time: string | null): ReactNode => (time === null ? "never" : <RelativeTime at={time} />);

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Grid.Col span={6}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Grid.Col>
  );
}
