import { Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rawCall } from "../../../../contract/snippets/call.ts";
import { sessionKey, sessionQuery, useAccount } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { PaymentModeBadge } from "../../display/payment-mode.tsx";
import { callOf, type FilledForm, type ResponseForm, readablePath } from "./call/explorer-call.ts";
import type { Operation } from "./call/operations.ts";
import { type ApiResponse, sendCall } from "./call/send-call.ts";
import { CodePanel } from "./code-panel.tsx";
import classes from "./console.module.css";
import { MethodBadge, OperationPicker } from "./operation-picker.tsx";
import { CallForm } from "./request/call-form.tsx";
import { ConfirmSend } from "./request/confirm-send.tsx";
import { limitsKey } from "./request/limits.tsx";
import { SendBar } from "./request/send-bar.tsx";
import { type ExplorerKey, useExplorerKeys } from "./request/use-explorer-keys.ts";
import { ResponsePanel } from "./response/response-panel.tsx";
import { TextWithCode } from "./text-with-code.tsx";
import { useDraft } from "./use-draft.ts";

interface ConsoleProps {
  operations: readonly Operation[];
  operation: Operation;
  /** Of a logged call; null without one. */
  filled: FilledForm | null;
  onChoose: (operationId: string) => void;
}

/** One operation with its form, the response and the call as code. */
export function Console({ operations, operation, filled, onChoose }: ConsoleProps) {
  const account = useAccount();
  const payments = useQuery(sessionQuery).data?.payments;
  const queries = useQueryClient();
  const { draft: values, change, noteSent } = useDraft(operation, filled, account?.user_id ?? null);
  const [responses, setResponses] = useState<Record<string, ApiResponse>>({});
  const [confirming, setConfirming] = useState<ExplorerKey | null>(null);
  const [storedForm, storeForm] = useLocalStorage<ResponseForm>({
    key: "beatmarket-explorer-form",
    defaultValue: "console",
  });
  const [chosenForm, chooseForm] = useState<ResponseForm | null>(filled?.form ?? null);
  const keys = useExplorerKeys(account?.user_id ?? null);

  const form = chosenForm ?? storedForm;
  const call = callOf(operation, values, form);
  const { file } = rawCall(call);
  const changesSomething = operation.method !== "GET";
  const sending = useMutation({
    mutationFn: (keyId: number) => sendCall(call, keyId),
    onMutate: noteSent,
    onSuccess: (response, keyId) => {
      setResponses((others) => ({ ...others, [operation.id]: response }));
      void queries.invalidateQueries({ queryKey: limitsKey(keyId) });
      if (response.status === 401) {
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
            {changesSomething && payments !== undefined && <PaymentModeBadge mode={payments} />}
          </Group>
          <Text fw={600} mt={4}>
            {operation.summary}
          </Text>
          <Text size="sm" c="dimmed">
            <TextWithCode text={operation.description} /> Permission: <Code>{operation.permission}</Code>
          </Text>
        </div>
        <Paper withBorder p="md" component="form" noValidate onSubmit={(event) => event.preventDefault()}>
          <Stack gap="md">
            <CallForm operation={operation} values={values} onChange={change} />
            <SendBar
              operation={operation}
              values={values}
              keys={keys}
              form={form}
              onForm={(chosen) => {
                chooseForm(chosen);
                storeForm(chosen);
              }}
              isSending={sending.isPending}
              onSend={(key) => (changesSomething ? setConfirming(key) : sending.mutate(key.id))}
            />
          </Stack>
        </Paper>
        <ConfirmSend
          operation={operation}
          values={values}
          call={call}
          apiKey={confirming}
          onClose={() => setConfirming(null)}
          onSend={({ id }) => {
            setConfirming(null);
            sending.mutate(id);
          }}
        />
        {file !== undefined && (
          <Text size="sm" c="dimmed">
            The response is a file. Send asks for its headers only
            {file.isResumable && ", which tell its size and age and count for nothing"}; the command below downloads it
            as <Code>{file.name}</Code>
            {file.isResumable && ", and goes on where it was interrupted"}.
          </Text>
        )}
        {sending.error !== null && <ErrorAlert error={sending.error} />}
        <ResponsePanel response={responses[operation.id] ?? null} isSending={sending.isPending} />
        <CodePanel call={call} />
      </Stack>
    </div>
  );
}
