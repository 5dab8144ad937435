import {
  Alert,
  Anchor,
  Breadcrumbs,
  Button,
  FileInput,
  Group,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconStethoscope } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { type Endpoint, endpointsQuery, type ReceiptDetail, receiptQuery } from "../../../api/webhooks.ts";
import { DocsLink } from "../../../display/docs-links.tsx";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { Select } from "../../../display/select.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { endpointName } from "../../../display/webhooks/endpoint-name.ts";
import { findingPlaces } from "./finding-places.ts";

const route = getRouteApi("/frame/signed-in/webhooks/doctor");

/** Diagnoses why a receiver rejects a signature. */
export function DoctorPage() {
  const { endpoint, receipt: receiptId } = route.useSearch();
  const { data, error, refetch } = useQuery(endpointsQuery);
  const receipt = useQuery({ ...receiptQuery(receiptId ?? 0), enabled: receiptId !== undefined });
  const isReady = data !== undefined && (receiptId === undefined || !receipt.isPending);
  return (
    <Stack gap="xs">
      <Breadcrumbs fz="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          Webhooks
        </Anchor>
        <Text size="sm">Signature doctor</Text>
      </Breadcrumbs>
      <Page
        title="Signature doctor"
        lead="Does your receiver reject a signature? Paste the request it received to find the cause."
      >
        {error !== null && <ErrorAlert error={error} onRetry={refetch} />}
        {receipt.error !== null && <ErrorAlert error={receipt.error} />}
        {!isReady && error === null && <RowsSkeleton rows={5} height={72} />}
        {isReady && data.endpoints.length === 0 && (
          <EmptyState
            icon={IconStethoscope}
            title="There is no endpoint yet"
            action={<Button renderRoot={(props) => <Link to="/webhooks" {...props} />}>Go to webhooks</Button>}
          >
            The doctor needs the secret of an endpoint. Create an inbox or add an endpoint first.
          </EmptyState>
        )}
        {isReady && data.endpoints.some(({ kind }) => kind !== "s3") && (
          <DoctorForm
            key={receiptId ?? 0}
            endpoints={data.endpoints.filter(({ kind }) => kind !== "s3")}
            initialEndpoint={endpoint ?? inboxOf(data.endpoints, receiptId)}
            receipt={receipt.data}
          />
        )}
      </Page>
    </Stack>
  );
}

const inboxOf = (endpoints: readonly Endpoint[], receiptId: number | undefined): number | undefined =>
  receiptId === undefined ? undefined : endpoints.find(({ kind }) => kind === "inbox")?.id;

interface DoctorFormProps {
  endpoints: readonly Endpoint[];
  initialEndpoint: number | undefined;
  /** Fills the form. */
  receipt: ReceiptDetail | undefined;
}

function DoctorForm({ endpoints, initialEndpoint, receipt }: DoctorFormProps) {
  const [endpointId, setEndpointId] = useState(String(initialEndpoint ?? endpoints[0]?.id ?? ""));
  const [secret, setSecret] = useState("");
  const [headers, setHeaders] = useState(
    receipt?.headers.map(({ name, value }) => `${name}: ${value}`).join("\n") ?? "",
  );
  const [body, setBody] = useState(receipt?.body ?? "");
  const [file, setFile] = useState<File | null>(null);
  const [computed, setComputed] = useState("");
  const diagnose = useMutation({
    mutationFn: async () =>
      unwrap(
        api.POST("/webhooks/doctor", {
          body: {
            endpoint_id: Number(endpointId),
            ...(secret !== "" && { secret }),
            headers: headers.replaceAll("\t", " "),
            body_base64: base64(file === null ? new TextEncoder().encode(body) : await bytesOf(file)),
            ...(computed !== "" && { computed }),
          },
        }),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    diagnose.mutate();
  };
  return (
    <GuardedForm onSubmit={submit} error={diagnose.error}>
      <Stack>
        <Paper withBorder p="md">
          <Stack>
            <Select
              label="Endpoint"
              data={endpoints.map((endpoint) => ({
                value: String(endpoint.id),
                label: `${endpointName(endpoint)} (${endpoint.id})`,
              }))}
              value={endpointId}
              onChange={(value) => setEndpointId(value ?? endpointId)}
            />
            <Textarea
              label="Headers"
              description="As your receiver got them: lines of name: value, or a JSON object."
              placeholder={
                "X-Webhook-Signature: 3f2a…\nwebhook-id: evt_…\nwebhook-timestamp: 1795176000\nwebhook-signature: v1,…"
              }
              autosize
              minRows={4}
              maxRows={10}
              maxLength={20_000}
              required
              value={headers}
              onChange={(event) => setHeaders(event.currentTarget.value)}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            />
            <Textarea
              label="Body"
              description="The exact bytes that your receiver verifies."
              autosize
              minRows={4}
              maxRows={12}
              maxLength={50_000}
              value={body}
              disabled={file !== null}
              onChange={(event) => setBody(event.currentTarget.value)}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            />
            <FileInput
              label="Or a file with the body"
              description="Use a file for bodies with special line breaks or bytes, which a text area changes."
              placeholder="Choose a file"
              clearable
              value={file}
              onChange={setFile}
            />
            <TextInput
              label="The secret that your receiver has"
              description="Optional: the endpoint's own by default. It is compared and not stored."
              placeholder="whsec_…"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
            <TextInput
              label="What your code computed"
              description="Optional: helps to find the mistake in your code."
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={computed}
              onChange={(event) => setComputed(event.currentTarget.value)}
            />
          </Stack>
        </Paper>
        {diagnose.error !== null && <ErrorAlert error={diagnose.error} />}
        <div aria-live="polite">
          {diagnose.data !== undefined && (
            <Alert
              color={diagnose.data.ok ? "teal" : "red"}
              icon={<IconStethoscope />}
              title={diagnose.data.ok ? "The signature is valid" : "Cause found"}
            >
              <Text size="sm">
                {diagnose.data.cause}{" "}
                {diagnose.data.ok &&
                  secret === "" &&
                  "If your receiver still rejects it, its secret or bytes differ: enter both."}
              </Text>
              {diagnose.data.advice !== "" && (
                <Text size="sm" mt={4}>
                  {diagnose.data.advice}
                </Text>
              )}
              <DocsLink place={findingPlaces[diagnose.data.finding]}>Read more about this finding</DocsLink>
            </Alert>
          )}
        </div>
        <Group>
          <Button type="submit" leftSection={<IconStethoscope size={16} />} loading={diagnose.isPending}>
            Examine
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}

/** Larger than the body of any delivery. Further bytes of a file are not sent. */
const maxFileBytes = 50_000;

const bytesOf = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, maxFileBytes).arrayBuffer());

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
