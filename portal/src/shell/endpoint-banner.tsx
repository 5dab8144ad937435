import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { t } from "../api/locale.ts";
import { useAccount, useRefusal } from "../api/session.ts";
import { type Endpoint, endpointAlertsQuery } from "../api/webhooks.ts";
import { RelativeTime } from "../display/relative-time.tsx";
import { endpointName } from "../display/webhooks/endpoint-name.ts";

const maxShown = 3;

/**
 * Lists disabled and failing endpoints on every page except the webhook pages, which show the same state. Renders
 * nothing without any.
 */
export function EndpointBanner() {
  const account = useAccount();
  const refusal = useRefusal("webhooks:read");
  const { data } = useQuery({ ...endpointAlertsQuery, enabled: account !== null && refusal === undefined });
  const isOnWebhooks = useLocation({ select: ({ pathname }) => pathname.startsWith("/webhooks") });
  const endpoints = account === null || isOnWebhooks ? [] : (data?.endpoints ?? []);
  if (endpoints.length === 0) return null;
  const hiddenCount = endpoints.length - maxShown;
  return (
    <Alert
      color={endpoints.some(({ state }) => state === "disabled") ? "red" : "orange"}
      icon={<IconPlugConnectedX />}
      role="status"
      maw={1200}
      mx="auto"
      mb="lg"
      py="xs"
    >
      <Stack gap={4}>
        {endpoints.slice(0, maxShown).map((endpoint) => (
          <EndpointAlert key={endpoint.id} endpoint={endpoint} />
        ))}
        {hiddenCount > 0 && (
          <Anchor size="sm" c="var(--mantine-color-text)" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
            {t("shell.andMore", { rest: hiddenCount })}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

function EndpointAlert({ endpoint }: { endpoint: Endpoint }) {
  const isDisabled = endpoint.state === "disabled";
  const since = isDisabled ? endpoint.disabled_at : endpoint.failing_since;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: "anywhere" }}>
      <Anchor
        inherit
        fw={600}
        c="var(--mantine-color-text)"
        renderRoot={(props) => <Link to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} {...props} />}
      >
        <bdi>{truncated(endpointName(endpoint))}</bdi>
      </Anchor>{" "}
      {isDisabled ? t("shell.endpointIsDisabled") : t("shell.endpointIsFailing")}
      {since !== null && (
        <>
          {" "}
          (<RelativeTime at={since} />)
        </>
      )}
      . {(isDisabled ? endpoint.disabled_reason : endpoint.last_error) ?? ""}
    </Text>
  );
}

const maxNameLength = 44;

const truncated = (text: string): string => (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text);
