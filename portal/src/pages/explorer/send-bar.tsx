import { Alert, Anchor, Button, Group, Input, SegmentedControl, Select, Skeleton, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { useAccount } from "../../api/session.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import classes from "./explorer.module.css";
import { type Form, missingInPath, type Values } from "./explorer-call.ts";
import type { ExplorerKeys } from "./explorer-key.ts";
import { Limits } from "./limits.tsx";
import type { Operation } from "./operations.ts";

interface SendBarProps {
  operation: Operation;
  values: Values;
  keys: ExplorerKeys;
  form: Form;
  onForm: (form: Form) => void;
  isSending: boolean;
  onSend: (keyId: number) => void;
}

/** With which key, in which form, Send, and what the limits still allow. */
export function SendBar({ operation, values, keys, form, onForm, isSending, onSend }: SendBarProps) {
  const { chosen } = keys;
  const missing = missingInPath(operation, values);
  const lacks = chosen !== null && !chosen.permissions.includes(operation.permission);
  return (
    <Stack gap="sm">
      <Group gap="md" align="flex-end">
        <KeyChoice keys={keys} />
        <Input.Wrapper label="Answer in" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Form of the answer"
            data={[
              { value: "console", label: "Console form" },
              { value: "reference", label: "Reference form" },
            ]}
            value={form}
            onChange={(value) => onForm(value as Form)}
          />
        </Input.Wrapper>
      </Group>
      {lacks && (
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
          onClick={() => chosen !== null && onSend(chosen.id)}
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
          <Anchor inherit renderRoot={(its) => <Link to="/sign-in" search={{ next: href }} {...its} />}>
            Sign in
          </Anchor>{" "}
          or{" "}
          <Anchor inherit renderRoot={(its) => <Link to="/register" search={{ next: href }} {...its} />}>
            create an account
          </Anchor>
          .
        </Text>
      </Alert>
    );
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (keys === undefined) return <Skeleton h={61} w={260} />;
  if (chosen === null)
    return (
      <Alert variant="light" p="sm" title="No API key yet">
        <Text size="sm">
          <Anchor inherit renderRoot={(its) => <Link to="/keys" {...its} />}>
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
