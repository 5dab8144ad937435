import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { LoggedCallDetail } from "../../../api/calls.ts";
import { api, unwrap } from "../../../api/client.ts";
import { durationLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../../display/docs-links.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Facts } from "../../../display/facts.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { UntrustedText } from "../../../display/untrusted-text.tsx";

const route = getRouteApi("/frame/signed-in/operators/admin/calls/$callId");

/** One call of any account: its request, and the reason for a refusal. */
export function AdminCallPage() {
  const { callId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "call", callId],
    queryFn: () => unwrap(api.GET("/admin/calls/{call_id}", { params: { path: { call_id: callId } } })),
  });
  return (
    <Page title={data === undefined ? "Call" : `${data.method} ${data.path}`}>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={8} height={32} />}
      {data !== undefined && <Details call={data} />}
    </Page>
  );
}

function Details({ call }: { call: LoggedCallDetail }) {
  return (
    <Stack gap="lg">
      {call.refusal !== null && (
        <Alert color="orange" variant="light" title={call.refusal.reason}>
          {call.refusal.advice}{" "}
          <DocsLink place={placeOfRefusal(call.status, call.refused_by)}>{aboutRefusal(call.status)}</DocsLink>
        </Alert>
      )}
      <Facts
        rows={[
          ["Status", <StatusBadge key="status" status={call.status} />],
          ["Time", <RelativeTime key="time" at={call.time} />],
          ["Duration", durationLabel(call.duration_ms)],
          ["Operation", call.operation ?? "none: unknown path"],
          ["Request id", <Identifier key="id" value={call.request_id} />],
          ["From", call.client_address],
        ]}
      />
      <UntrustedText text={`${call.method} ${call.path}${call.query && `?${call.query}`}`} label="Method and path" />
      <UntrustedText text={call.headers.map(({ name, value }) => `${name}: ${value}`).join("\n")} label="Headers" />
      {call.body !== null && <UntrustedText text={call.body} label="Body of the request" />}
      {call.error !== null && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {call.error.message}: {call.error.details}
        </Text>
      )}
    </Stack>
  );
}
