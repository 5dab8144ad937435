import { Anchor, Breadcrumbs, Button, Group, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconSend, IconStethoscope, IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { type DeliveryDetail, deliveryQuery, endpointQuery } from "../../../api/webhooks.ts";
import { ApiCall } from "../../../display/calls/api-call.tsx";
import { Json } from "../../../display/code/json.tsx";
import { CopyButton } from "../../../display/copy-button.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { FutureTime, RelativeTime } from "../../../display/relative-time.tsx";
import { UntrustedText } from "../../../display/untrusted-text.tsx";
import { DeliveryBadge } from "../../../display/webhooks/delivery-badge.tsx";
import { useResend, useWebhookMutation } from "../use-webhook-mutation.ts";

const route = getRouteApi("/frame/signed-in/webhooks/deliveries/$deliveryId");

/** One delivery: its payload, its attempts with their responses, and a button to send it again. */
export function DeliveryPage() {
  const { deliveryId } = route.useParams();
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(deliveryId));
  const { data: endpoint } = useQuery({
    ...endpointQuery(delivery?.endpoint_id ?? 0),
    enabled: delivery !== undefined,
  });
  const isBucket = endpoint?.kind === "s3";
  return (
    <Stack gap="xs">
      <Breadcrumbs fz="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          Webhooks
        </Anchor>
        {delivery !== undefined && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/webhooks/$endpointId" params={{ endpointId: delivery.endpoint_id }} {...props} />
            )}
          >
            Endpoint {delivery.endpoint_id}
          </Anchor>
        )}
        <Text size="sm">Delivery {deliveryId}</Text>
      </Breadcrumbs>
      <Page
        title={delivery === undefined ? `Delivery ${deliveryId}` : delivery.type + (delivery.test ? " (test)" : "")}
        lead={delivery && <Lead delivery={delivery} />}
        actions={delivery && <Actions key={delivery.id} delivery={delivery} isBucket={isBucket} />}
      >
        {error !== null && delivery === undefined && <ErrorAlert error={error} onRetry={refetch} />}
        {delivery === undefined && error === null && <RowsSkeleton rows={3} height={110} />}
        {delivery !== undefined && (
          <>
            {endpoint !== undefined && !isBucket && <SignedCurl key={`curl-${delivery.id}`} delivery={delivery} />}
            <Attempts delivery={delivery} isBucket={isBucket} />
            <Payload delivery={delivery} isBucket={isBucket} />
          </>
        )}
      </Page>
    </Stack>
  );
}

function Lead({ delivery }: { delivery: DeliveryDetail }) {
  const { state, attempts, total_attempts, next_attempt_at } = delivery;
  return (
    <Group gap="xs" mt={4}>
      <DeliveryBadge state={state} isRetry={attempts > 0} />
      <Identifier value={delivery.event_id} />
      <span>
        <RelativeTime at={delivery.created_at} />
      </span>
      {total_attempts > attempts && (
        <span>
          · {total_attempts.toLocaleString("en")} attempts, {attempts === 0 ? "none" : attempts} since it was queued
          again
        </span>
      )}
      {next_attempt_at !== null && (
        <span>
          · next attempt <FutureTime at={next_attempt_at} />
        </span>
      )}
    </Group>
  );
}

interface DeliveryProps {
  delivery: DeliveryDetail;
  /** Whether the delivery is a line of an object in a bucket. */
  isBucket: boolean;
}

function Actions({ delivery, isBucket }: DeliveryProps) {
  const resend = useResend();
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {!delivery.test && <ApiCall call={{ operationId: "getEvent", parameters: { event_id: delivery.event_id } }} />}
        {!isBucket && (
          <Button
            variant="default"
            leftSection={<IconStethoscope size={16} />}
            renderRoot={(props) => (
              <Link to="/webhooks/doctor" search={{ endpoint: delivery.endpoint_id }} {...props} />
            )}
          >
            Doctor
          </Button>
        )}
        <Permitted to="webhooks:write">
          <Button
            leftSection={<IconSend size={16} />}
            loading={resend.isPending || delivery.state === "sending"}
            onClick={() => resend.mutate(delivery.id)}
          >
            Send again
          </Button>
        </Permitted>
      </Group>
      {resend.error !== null && <ErrorAlert error={resend.error} />}
    </Stack>
  );
}

function SignedCurl({ delivery }: { delivery: DeliveryDetail }) {
  const curl = useWebhookMutation(() =>
    unwrap(api.GET("/webhooks/deliveries/{delivery_id}/curl", { params: { path: { delivery_id: delivery.id } } })),
  );
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <div>
            <Title order={2} size="h5">
              curl command
            </Title>
            <Text size="sm" c="dimmed">
              A curl command that sends this delivery, with a new signature. Receivers accept it for five minutes.
            </Text>
          </div>
          <Group gap="xs">
            <Permitted to="webhooks:write" isQuiet>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTerminal2 size={14} />}
                loading={curl.isPending}
                onClick={() => curl.mutate(undefined)}
              >
                {curl.data === undefined ? "Show signed curl" : "Sign again"}
              </Button>
            </Permitted>
            {curl.data !== undefined && <CopyButton value={curl.data.curl} label="Copy the command" />}
          </Group>
        </Group>
        {curl.data !== undefined && <UntrustedText text={curl.data.curl} label="Signed curl command" maxHeight={200} />}
        {curl.error !== null && <ErrorAlert error={curl.error} />}
      </Stack>
    </Paper>
  );
}

function Attempts({ delivery, isBucket }: DeliveryProps) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Attempts
      </Title>
      {delivery.history.length === 0 && (
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            {delivery.state === "skipped"
              ? "None: the endpoint was disabled. Send it again when it is enabled."
              : "None yet."}
          </Text>
        </Paper>
      )}
      {delivery.history.toReversed().map((attempt) => (
        <Paper withBorder p="md" key={attempt.id}>
          <Stack gap="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} c={attempt.error === null ? "teal" : "red"}>
                {attempt.status === null ? "No response" : `Response ${attempt.status}`}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {attempt.duration_ms.toLocaleString("en")} ms · <RelativeTime at={attempt.attempted_at} />
              </Text>
            </Group>
            {attempt.error !== null && <Text size="sm">{attempt.error}</Text>}
            {isBucket && attempt.error === null && <Text size="sm">Written with other events of that time to:</Text>}
            {attempt.answer !== "" && (
              <UntrustedText
                text={attempt.answer}
                label={`${isBucket && attempt.error === null ? "Object of" : "Response to"} attempt ${attempt.id}`}
                maxHeight={200}
              />
            )}
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

function Payload({ delivery, isBucket }: DeliveryProps) {
  const [form, setForm] = useState("readable");
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Payload
        </Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            value={form}
            onChange={setForm}
            data={[
              { value: "readable", label: "Readable" },
              { value: "raw", label: "As it is sent" },
            ]}
            aria-label="Form of the payload"
          />
          <CopyButton value={delivery.payload} label="Copy the payload as it is sent" />
        </Group>
      </Group>
      {form === "raw" ? (
        <UntrustedText text={delivery.payload} label="Payload" maxHeight={480} />
      ) : (
        <Json value={JSON.parse(delivery.payload)} label="Payload" />
      )}
      <Text size="sm" c="dimmed">
        Version {delivery.version} of the API{isBucket ? "" : ", as the header Beat-Version says"}.
      </Text>
      {form === "raw" && !isBucket && (
        <Text size="sm" c="dimmed">
          The signature covers exactly these bytes. Verify them before parsing.
        </Text>
      )}
    </Stack>
  );
}
