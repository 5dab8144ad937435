import { Alert, Anchor, Group, Input, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import type { ResponseForm } from "../call/explorer-call.ts";
import type { Operation } from "../call/operations.ts";
import { Limits } from "./limits.tsx";
import classes from "./request.module.css";
import type { ExplorerKeys } from "./use-explorer-keys.ts";

interface CallSettingsProps {
  operation: Operation;
  keys: ExplorerKeys;
  form: ResponseForm;
  /** A path parameter that must still be filled in. */
  missingParameter: string | undefined;
  onForm: (form: ResponseForm) => void;
}

/** The key, the response form, reasons why the call cannot be sent or will be refused, and the used limits. */
export function CallSettings({ operation, keys, form, missingParameter, onForm }: CallSettingsProps) {
  const { selectedKey } = keys;
  const lacksPermission =
    selectedKey !== null && operation.permission !== null && !selectedKey.permissions.includes(operation.permission);
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-end">
        <KeyChoice keys={keys} />
        <Input.Wrapper label="Response form" labelElement="div">
          <SegmentedControl
            display="flex"
            size="xs"
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
      {missingParameter !== undefined && (
        <Text size="sm" c="dimmed">
          Fill in {missingParameter} to send the call.
        </Text>
      )}
      {selectedKey !== null && <Limits keyId={selectedKey.id} />}
    </Stack>
  );
}

function KeyChoice({ keys: { keys, selectedKey, error, choose, refetch } }: { keys: ExplorerKeys }) {
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
  if (selectedKey === null)
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
      data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} (…${ends_with})` }))}
      value={String(selectedKey.id)}
      onChange={(id) => id !== null && choose(Number(id))}
    />
  );
}
