import { Button, Checkbox, Code, Group, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import { eventTypeNames, eventTypes } from "../../../api/event-types.ts";
import type { Endpoint, EventType } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { VersionSelect } from "../../../display/version-select.tsx";
import { useWebhookMutation } from "../use-webhook-mutation.ts";
import { type Bucket, BucketFields, bucketAddress, bucketOf } from "./bucket-fields.tsx";
import { SecretText } from "./secret-text.tsx";

interface EndpointFormProps {
  opened: boolean;
  onClose: () => void;
  /** The endpoint to change; null adds one. */
  endpoint: Endpoint | null;
}

/** The dialog that changes an endpoint, or adds one and shows its secret. */
export function EndpointForm({ opened, onClose, endpoint }: EndpointFormProps) {
  return (
    <GuardedModal
      opened={opened}
      onClose={onClose}
      title={endpoint === null ? "Add endpoint" : "Change endpoint"}
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
      closeOnClickOutside={false}
    >
      {endpoint === null ? (
        <AddingForm onClose={onClose} />
      ) : (
        <ChangingForm key={endpoint.id} endpoint={endpoint} onClose={onClose} />
      )}
    </GuardedModal>
  );
}

function AddingForm({ onClose }: Pick<EndpointFormProps, "onClose">) {
  const add = useWebhookMutation((fields: Fields) =>
    unwrap(
      api.POST("/webhooks/endpoints", {
        body: {
          ...destination(fields),
          description: fields.description,
          event_types: fields.event_types,
          ordered: fields.isOrdered,
          ...(fields.version !== null && { version: fields.version }),
        },
      }),
    ),
  );
  if (add.data !== undefined)
    return (
      <Stack>
        <Text size="sm">
          The endpoint is added. {add.variables.bucket === null ? "Your receiver" : "The program that reads the bucket"}{" "}
          verifies each {add.variables.bucket === null ? "delivery" : "object"} with this secret. You can look it up
          here at any time.
        </Text>
        <SecretText secret={add.data.secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  return <FieldsForm initial={null} change={add} submitLabel="Add endpoint" />;
}

function ChangingForm({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const change = useWebhookMutation(
    ({ description, event_types, version, ...fields }: Fields) =>
      unwrap(
        api.PATCH("/webhooks/endpoints/{endpoint_id}", {
          params: { path: { endpoint_id: endpoint.id } },
          body: {
            description,
            event_types,
            ...(version !== null && { version }),
            ...(endpoint.kind !== "inbox" && destination(fields)),
          },
        }),
      ),
    onClose,
  );
  return <FieldsForm initial={endpoint} change={change} submitLabel="Save" />;
}

interface Fields {
  url: string;
  /** The bucket; null for other endpoints. */
  bucket: Bucket | null;
  description: string;
  event_types: EventType[] | null;
  isOrdered: boolean;
  /** The API version of the events; null: the account's version. */
  version: string | null;
}

const destination = ({ url, bucket }: Pick<Fields, "url" | "bucket">) =>
  bucket === null
    ? { url }
    : {
        url: bucketAddress(bucket),
        ...(bucket.secretAccessKey !== "" && {
          s3: { access_key_id: bucket.accessKeyId.trim(), secret_access_key: bucket.secretAccessKey.trim() },
        }),
      };

interface FieldsFormProps {
  initial: Endpoint | null;
  change: { mutate: (fields: Fields) => void; isPending: boolean; error: Error | null };
  submitLabel: string;
}

function FieldsForm({ initial, change, submitLabel }: FieldsFormProps) {
  const [kind, setKind] = useState<string>(initial?.kind ?? "http");
  const [url, setUrl] = useState(initial?.url ?? "");
  const [bucket, setBucket] = useState(
    bucketOf({ url: kind === "s3" ? url : "", accessKeyId: initial?.access_key_id ?? "" }),
  );
  const [description, setDescription] = useState(initial?.description ?? "");
  const [isAll, setIsAll] = useState(initial === null || initial.event_types === null);
  const [types, setTypes] = useState<string[]>(initial?.event_types ?? []);
  const [isOrdered, setIsOrdered] = useState(false);
  const [version, setVersion] = useState(initial?.version ?? null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const selectedTypes = eventTypeNames.filter((type) => types.includes(type));
    change.mutate({
      url,
      bucket: kind === "s3" ? bucket : null,
      description,
      version,
      event_types: isAll ? null : selectedTypes,
      isOrdered: isOrdered && kind !== "s3",
    });
  };
  return (
    <GuardedForm onSubmit={submit} error={change.error}>
      <Stack>
        {initial === null && (
          <Radio.Group label="Events go to" value={kind} onChange={setKind}>
            <Group gap="lg" mt={4}>
              <Radio value="http" label="An HTTP receiver, one by one" />
              <Radio value="s3" label="An S3 bucket, an object a minute" />
            </Group>
          </Radio.Group>
        )}
        {kind === "s3" && (
          <BucketFields
            bucket={bucket}
            onChange={setBucket}
            hasSecret={initial !== null && bucket.accessKeyId === initial.access_key_id}
          />
        )}
        {kind === "http" && (
          <TextInput
            label="Address"
            description={
              <>
                Begins with https:// and is reachable from the internet. For a receiver on your own machine create an
                inbox instead, or run <Code fz="inherit">beatmarket-cli listen</Code>.
              </>
            }
            placeholder="https://example.com/webhooks"
            type="url"
            inputMode="url"
            autoComplete="off"
            required
            maxLength={2048}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Textarea
          label="Description"
          description="For yourself, at most 200 characters."
          autosize
          maxRows={4}
          maxLength={200}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value.replace(/[\r\n]+/g, " "))}
        />
        <Radio.Group label="Events" value={isAll ? "all" : "some"} onChange={(value) => setIsAll(value === "all")}>
          <Group gap="lg" mt={4}>
            <Radio value="all" label="All, future types included" />
            <Radio value="some" label="Only these" />
          </Group>
        </Radio.Group>
        {!isAll && (
          <Checkbox.Group value={types} onChange={setTypes} aria-label="Event types">
            <Stack gap="xs">
              {eventTypes.map(({ type, summary }) => (
                <Checkbox key={type} value={type} label={type} description={summary} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {initial === null && kind === "http" && (
          <Checkbox
            label="In order"
            description="One delivery at a time, in the order of the events. A failing delivery blocks the ones after it."
            checked={isOrdered}
            onChange={(event) => setIsOrdered(event.currentTarget.checked)}
          />
        )}
        <VersionSelect
          description="The shape of the events that it gets."
          offersAccountVersion={initial === null}
          value={version}
          onChange={setVersion}
        />
        {change.error !== null && <ErrorAlert error={change.error} />}
        <Group justify="flex-end" gap="xs">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={change.isPending} disabled={!isAll && types.length === 0}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
