import { Badge, Box, Code, Group, NavLink, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sessionKey, useAccount } from "../../api/session.ts";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { AnswerPanel } from "./answer-panel.tsx";
import { CallForm } from "./call-form.tsx";
import { CodePanel } from "./code-panel.tsx";
import { Described } from "./described.tsx";
import classes from "./explorer.module.css";
import { callOf, type Form, firstValues, readablePath, type Values } from "./explorer-call.ts";
import { useExplorerKey } from "./explorer-key.ts";
import { limitsKey } from "./limits.tsx";
import type { Operation } from "./operations.ts";
import { type Run, run } from "./run.ts";
import { SendBar } from "./send-bar.tsx";

interface ConsoleProps {
  operations: readonly Operation[];
  operation: Operation;
  /** The form of a logged call. */
  filled: { operation: Operation; values: Values; form: Form } | null;
  onChoose: (operationId: string) => void;
}

/** One operation with its form, the call as a program, and what was answered. */
export function Console({ operations, operation, filled, onChoose }: ConsoleProps) {
  const account = useAccount();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<Record<string, Values>>(
    filled === null ? {} : { [filled.operation.id]: filled.values },
  );
  const [runs, setRuns] = useState<Record<string, Run>>({});
  const [keptForm, keepForm] = useLocalStorage<Form>({ key: "beatmarket-explorer-form", defaultValue: "console" });
  const [chosenForm, chooseForm] = useState<Form | null>(filled?.form ?? null);
  const keys = useExplorerKey(account?.user_id ?? null);

  const form = chosenForm ?? keptForm;
  const values = drafts[operation.id] ?? firstValues(operation);
  const call = callOf(operation, values, form);
  const sending = useMutation({
    mutationFn: (keyId: number) => run(call, keyId),
    onSuccess: (made, keyId) => {
      setRuns((others) => ({ ...others, [operation.id]: made }));
      void queries.invalidateQueries({ queryKey: limitsKey(keyId) });
      if (made.status === 401) {
        void queries.invalidateQueries({ queryKey: sessionKey });
        void keys.refetch();
      }
    },
  });

  return (
    <div className={classes.console}>
      <OperationPicker operations={operations} chosen={operation} onChoose={onChoose} />
      <Stack gap="md" miw={0}>
        <div>
          <Group gap="xs" align="baseline" wrap="nowrap">
            <MethodBadge method={operation.method} />
            <Title order={2} size="h4" className={classes.path}>
              {readablePath(operation, values)}
            </Title>
          </Group>
          <Text fw={600} mt={4}>
            {operation.summary}
          </Text>
          <Text size="sm" c="dimmed">
            <Described text={operation.description} /> Permission: <Code>{operation.permission}</Code>
          </Text>
        </div>
        <Paper withBorder p="md" component="form" noValidate onSubmit={(event) => event.preventDefault()}>
          <Stack gap="md">
            <CallForm
              operation={operation}
              values={values}
              onChange={(name, value) =>
                setDrafts((others) => ({ ...others, [operation.id]: { ...values, [name]: value } }))
              }
            />
            <SendBar
              operation={operation}
              values={values}
              keys={keys}
              form={form}
              onForm={(chosen) => {
                chooseForm(chosen);
                keepForm(chosen);
              }}
              isSending={sending.isPending}
              onSend={(keyId) => sending.mutate(keyId)}
            />
          </Stack>
        </Paper>
        {sending.error !== null && <ProblemAlert error={sending.error} />}
        <AnswerPanel run={runs[operation.id] ?? null} isSending={sending.isPending} />
        <CodePanel call={call} />
      </Stack>
    </div>
  );
}

const methodColors: Record<string, string> = { GET: "blue", POST: "teal", PUT: "orange" };

function MethodBadge({ method, isSmall = false }: { method: string; isSmall?: boolean }) {
  return (
    <Badge
      variant="light"
      radius="sm"
      size={isSmall ? "xs" : "md"}
      color={methodColors[method] ?? "gray"}
      className={classes.method ?? ""}
    >
      {method}
    </Badge>
  );
}

interface OperationPickerProps {
  operations: readonly Operation[];
  chosen: Operation;
  onChoose: (operationId: string) => void;
}

/** A list where there is room for one, else a select. */
function OperationPicker({ operations, chosen, onChoose }: OperationPickerProps) {
  const tags = Map.groupBy(operations, ({ tag }) => tag);
  return (
    <>
      <Select
        hiddenFrom="md"
        label="Operation"
        allowDeselect={false}
        data={[...tags].map(([group, its]) => ({
          group,
          items: its.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` })),
        }))}
        value={chosen.id}
        onChange={(id) => id !== null && onChoose(id)}
      />
      <Box component="nav" aria-label="Operations" visibleFrom="md">
        {[...tags].map(([tag, its]) => (
          <Box key={tag} mb="xs">
            <Text size="xs" fw={600} c="dimmed" px="xs" mb={2}>
              {tag}
            </Text>
            {its.map(({ id, method, path }) => (
              <NavLink
                key={id}
                component="button"
                type="button"
                active={id === chosen.id}
                aria-current={id === chosen.id ? "true" : undefined}
                leftSection={<MethodBadge method={method} isSmall />}
                label={path}
                className={classes.operation}
                onClick={() => onChoose(id)}
              />
            ))}
          </Box>
        ))}
      </Box>
    </>
  );
}
