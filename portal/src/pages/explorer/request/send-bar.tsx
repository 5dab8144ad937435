import { Alert, Anchor, Button, Group, Input, SegmentedControl, Select, Skeleton, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { type FieldValues, missingPathParameter, type ResponseForm } from "../call/explorer-call.ts";
import type { Operation } from "../call/operations.ts";
import { Limits } from "./limits.tsx";
import classes from "./request.module.css";
import type { ExplorerKey, ExplorerKeys } from "./use-explorer-keys.ts";

interface SendBarProps {
  operation: Operation;
  values: FieldValues;
  keys: ExplorerKeys;
  form: ResponseForm;
  onForm: (form: ResponseForm) => void;
  isSending: boolean;
  onSend: (key: ExplorerKey) => void;
}

/** The key, the response form, the Send button and the remaining calls. */
export function SendBar({ operation, values, keys, form, onForm, isSending, onSend }: SendBarProps) {
  const { chosen } = keys;
  const missing = missingPathParameter(operation, values);
  const lacksPermission = chosen !== null && !chosen.permissions.includes(operation.permission);
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-end">
        <KeyChoice keys={keys} />
        <Input.Wrapper label="Response form" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Response form"
            data={[
              { value: "console", label: "Console form" },
              { value: "reference", label: "Reference form" },
            ]}
            value={form}
            onChange={(value) => onForm(value as ResponseForm)}
          />
        </Input.Wrapper>
      </Group>
      {lacksPermission && (
        <Text size="sm" c="var(--mantine-color-warning-text, inherit)">
          This key lacks the permission {operation.permission}: the call will be refused with 403.
        </Text>
      )}
      <div className={classes.send}>
        <Button
          type="submit"
          leftSection={<IconSend size={16} />}
          loading={isSending}
          disabled={chosen === null || missing !== undefined}
          onClick={() => chosen !== null && onSend(chosen)}
        >
          Send
        </Button>
        {chosen !== null && <Limits keyId={chosen.id} />}
      </div>
      {missing !== undefined && (
        <Text size="sm" c="dimmed">
          Fill in {missing} to send the call.
        </Text>
      )}
    </Stack>
  );
}

function KeyChoice({ keys: { keys, chosen, error, choose, refetch } }: { keys: ExplorerKeys }) {
  const account = useAccount();
  const { href } = useLocation();
  if (account === null)
    return (
      <Alert variant="light" p="sm" title="Sign in to send">
        <Text size="sm">
          Calls are made with one of your API keys, which never leaves the server.{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/sign-in" search={{ next: href }} {...props} />}>
            Sign in
          </Anchor>{" "}
          or{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/register" search={{ next: href }} {...props} />}>
            create an account
          </Anchor>
          .
        </Text>
      </Alert>
    );
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (keys === undefined) return <Skeleton h={61} w={260} />;
  if (chosen === null)
    return (
      <Alert variant="light" p="sm" title="No API key yet">
        <Text size="sm">
          <Anchor inherit renderRoot={(props) => <Link to="/keys" {...props} />}>
            Create an API key
          </Anchor>
          , then come back to call with it.
        </Text>
      </Alert>
    );
  return (
    <Select
      label="API key"
      className={classes.key}
      allowDeselect={false}
      data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} (…${ends_with})` }))}
      value={String(chosen.id)}
      onChange={(id) => id !== null && choose(Number(id))}
    />
  );
}
