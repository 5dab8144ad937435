import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useLocalStorage, useWindowEvent } from "@mantine/hooks";
import { IconSend } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { rawCall } from "../../../../contract/snippets/call.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import { sessionKey, sessionQuery, useAccount } from "../../api/session.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { PaymentModeBadge } from "../../display/payment-mode.tsx";
import {
  callOf,
  type FilledForm,
  missingPathParameter,
  type ResponseForm,
  readablePath,
  requestOf,
} from "./call/explorer-call.ts";
import type { Operation } from "./call/operations.ts";
import { type ApiResponse, sendCall } from "./call/send-call.ts";
import classes from "./console.module.css";
import { LastCalls, maxLastCalls, type SentCall } from "./operations/last-calls.tsx";
import { MethodLabel } from "./operations/method-label.tsx";
import { OperationList } from "./operations/operation-list.tsx";
import { CallForm } from "./request/call-form.tsx";
import { CallSettings } from "./request/call-settings.tsx";
import { limitsKey } from "./request/limits.tsx";
import { type ExplorerKey, useExplorerKeys } from "./request/use-explorer-keys.ts";
import { ResultPane } from "./response/result-pane.tsx";
import { TextWithCode } from "./text-with-code.tsx";
import { sharedSearch, useAddress, useMirror } from "./use-address.ts";
import { useDraft } from "./use-draft.ts";

const ConfirmSend = lazy(async () => ({
  default: (await loadChunk(() => import("./request/confirm-send.tsx"))).ConfirmSend,
}));

/** Whether a dialog covers the page: the search, the shortcuts or the confirmation of a call. */
const isBehindDialog = () => document.querySelector("dialog:modal, [aria-modal=true]") !== null;

interface ConsoleProps {
  operations: readonly Operation[];
  operation: Operation;
  /** The values of the logged call that the address names; null without such a call. */
  filledForm: FilledForm | null;
}

/**
 * Three panes: the operations, the form of the chosen operation, and the call's code and response. The address contains
 * the operation, the values of the form and the open pane.
 */
export function Console({ operations, operation, filledForm }: ConsoleProps) {
  const account = useAccount();
  const payments = useQuery(sessionQuery).data?.payments;
  const queries = useQueryClient();
  const router = useRouter();
  const pane = useRef<HTMLDivElement>(null);
  const address = useAddress(operation, filledForm);
  const { search } = address;
  const {
    draft: values,
    change,
    fill,
    markSent,
  } = useDraft(operation, address.addressValues, address.isOwn, account?.user_id ?? null);
  /** The id of the logged call in the address, once the user has changed the form that it filled. */
  const [changedCall, setChangedCall] = useState<number | undefined>(undefined);
  const [responses, setResponses] = useState<Record<string, ApiResponse>>({});
  const [lastCalls, setLastCalls] = useState<readonly SentCall[]>([]);
  const [confirming, setConfirming] = useState<ExplorerKey | null>(null);
  const [storedForm, storeForm] = useLocalStorage<ResponseForm>({
    key: "beatmarket-explorer-form",
    defaultValue: "reference",
    getInitialValueInEffect: false,
  });
  const keys = useExplorerKeys(account?.user_id ?? null);

  const form = search.form ?? filledForm?.form ?? storedForm;
  // The link to a logged call is kept until the form changes.
  useMirror(operation, values, form, address, search.call !== undefined && changedCall !== search.call);
  const sharedParameters = sharedSearch(operation, values, form);
  const call = callOf(operation, values, form);
  const { file } = rawCall(call);
  const changesSomething = operation.method !== "GET";
  const missingParameter = missingPathParameter(operation, values);
  const sending = useMutation({
    mutationFn: (keyId: number) => sendCall(call, keyId),
    onMutate: () => {
      markSent();
      if (search.pane !== "headers") address.set({ pane: "response" });
    },
    onSuccess: (response, keyId) => {
      const { method, url } = requestOf(call);
      const { status, durationMs } = response;
      setResponses((previous) => ({ ...previous, [operation.id]: response }));
      const path = url.replace(/^\/v1/, "");
      const lastCall = {
        method,
        path,
        status,
        durationMs,
        operationId: operation.id,
        values,
        search: sharedParameters,
      };
      setLastCalls((previous) =>
        [{ ...lastCall, number: (previous[0]?.number ?? 0) + 1 }, ...previous].slice(0, maxLastCalls),
      );
      void queries.invalidateQueries({ queryKey: limitsKey(keyId) });
      if (status === 401) {
        void queries.invalidateQueries({ queryKey: sessionKey });
        void keys.refetch();
      }
    },
  });
  // On a narrow window the pane is below the form, so scroll to it; next to the form it is visible.
  useEffect(() => {
    if (sending.status !== "idle" && !window.matchMedia("(min-width: 1100px)").matches)
      pane.current?.scrollIntoView({ block: "start" });
  }, [sending.status]);
  const sendButton = useRef<HTMLButtonElement>(null);
  const { selectedKey } = keys;
  const canSend = selectedKey !== null && missingParameter === undefined && !sending.isPending;
  const send = () => {
    if (!canSend) return;
    if (changesSomething) setConfirming(selectedKey);
    else sending.mutate(selectedKey.id);
  };
  useWindowEvent("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isBehindDialog()) return;
    event.preventDefault();
    send();
  });

  return (
    <div className={classes.console}>
      <OperationList operations={operations} selected={operation}>
        <LastCalls calls={lastCalls} onFill={(lastCall) => fill(lastCall.operationId, lastCall.values)} />
      </OperationList>
      <form className={classes.form} noValidate onSubmit={(event) => event.preventDefault()}>
        <div className={classes.bar}>
          <MethodLabel method={operation.method} size="sm" />
          <Title order={2} className={classes.path}>
            {readablePath(operation, values)}
          </Title>
          <CopyButton
            value={window.location.origin + router.buildLocation({ to: "/explorer", search: sharedParameters }).href}
            label="Copy a link to this call"
          />
          <Button
            ref={sendButton}
            type="submit"
            size="compact-md"
            leftSection={<IconSend size={14} />}
            loading={sending.isPending}
            disabled={selectedKey === null || missingParameter !== undefined}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title="Ctrl or ⌘ and Enter"
            onClick={send}
          >
            Send
          </Button>
        </div>
        <Stack gap="lg">
          <div>
            <Group gap="xs">
              <Title order={3} size="h4">
                {operation.summary}
              </Title>
              {changesSomething && payments !== undefined && <PaymentModeBadge mode={payments} />}
            </Group>
            <Text size="sm" c="dimmed" mt={4}>
              <TextWithCode text={operation.description} />{" "}
              {operation.isOfTestMode ? (
                "Takes keys of test mode only: switch the portal to Test."
              ) : operation.permission === null ? (
                "Works without a key, too."
              ) : (
                <>
                  Permission: <Code>{operation.permission}</Code>
                </>
              )}
            </Text>
          </div>
          <CallSettings
            operation={operation}
            keys={keys}
            form={form}
            missingParameter={missingParameter}
            onForm={(chosenForm) => {
              storeForm(chosenForm);
              address.set({ form: chosenForm });
            }}
          />
          <CallForm
            operation={operation}
            values={values}
            onChange={(name, value) => {
              setChangedCall(search.call);
              change(name, value);
            }}
          />
          {file !== undefined && (
            <Text size="sm" c="dimmed">
              The response is a file. Send requests only its headers
              {file.isResumable && ", which show its size and age and do not count as a download"}. The command
              downloads it as <Code>{file.name}</Code>
              {file.isResumable && ", and resumes where it was interrupted"}.
            </Text>
          )}
        </Stack>
      </form>
      <Suspense>
        {confirming !== null && (
          <ConfirmSend
            operation={operation}
            values={values}
            call={call}
            apiKey={confirming}
            onClose={() => {
              setConfirming(null);
              sendButton.current?.focus();
            }}
            onSend={({ id }) => {
              setConfirming(null);
              sendButton.current?.focus();
              sending.mutate(id);
            }}
          />
        )}
      </Suspense>
      <div className={classes.pane} ref={pane}>
        <ResultPane
          call={call}
          response={responses[operation.id] ?? null}
          isSending={sending.isPending}
          error={sending.error}
          pane={search.pane ?? "code"}
          language={search.language}
          onPane={(chosenPane) => address.set({ pane: chosenPane })}
          onLanguage={(language) => address.set({ language })}
        />
      </div>
    </div>
  );
}
