import { Button, Stack } from "@mantine/core";
import { IconFlask, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { useMode } from "../../api/mode.ts";
import { sessionQuery } from "../../api/session.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { GuardedModal } from "../../display/guarded-modal.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { ModeSwitch } from "../../shell/mode-switch.tsx";
import { CreateSandbox } from "./create-sandbox.tsx";
import { DeleteSandbox, IssuedSandbox } from "./dialogs.tsx";
import { SandboxCard } from "./sandbox-card.tsx";
import { type CreatedSandbox, maxSandboxes, type Sandbox, sandboxesQuery, useSandboxMutation } from "./sandboxes.ts";

const lead =
  "A sandbox is a whole service of your own with a clock that you move: see in minutes what happens in months.";

/** The account's sandboxes: create, advance, fork, delete. They belong to test mode. */
export function SandboxesPage() {
  const isTest = useMode() === "test";
  return isTest ? <Sandboxes /> : <LiveMode />;
}

function LiveMode() {
  const { data: session } = useQuery(sessionQuery);
  const hasTestMode = session?.has_test_mode === true;
  return (
    <Page title="Sandboxes" lead={lead}>
      <EmptyState
        icon={IconFlask}
        title="Sandboxes belong to test mode"
        {...(hasTestMode && { action: <ModeSwitch /> })}
      >
        {hasTestMode
          ? "Switch the portal to Test to see yours."
          : "This server has no test mode: its operator sets SANDBOX_DATABASE_URL."}
      </EmptyState>
    </Page>
  );
}

function Sandboxes() {
  const { data, error, isPending, refetch } = useQuery(sandboxesQuery);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedSandbox | null>(null);
  const [deleting, setDeleting] = useState<Sandbox | null>(null);
  const fork = useSandboxMutation(({ id }: Sandbox) =>
    unwrap(api.POST("/sandboxes/{sandbox_id}/fork", { params: { path: { sandbox_id: id } } })),
  );
  const sandboxes = data?.sandboxes ?? [];
  const isFull = sandboxes.length >= maxSandboxes;
  const close = () => {
    setCreating(false);
    setCreated(null);
  };
  return (
    <Page
      title="Sandboxes"
      lead={lead}
      actions={
        <Permitted to="keys:write">
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => !isFull && setCreating(true)}
            data-disabled={isFull}
            aria-disabled={isFull}
            title={isFull ? `An account may have ${maxSandboxes} sandboxes: delete one first.` : undefined}
          >
            New sandbox
          </Button>
        </Permitted>
      }
    >
      {isPending && <RowsSkeleton rows={2} height={200} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {fork.error !== null && <ErrorAlert error={fork.error} />}
      {data !== undefined && sandboxes.length === 0 && (
        <EmptyState icon={IconFlask} title="No sandbox yet">
          Create one, call the API with its key, and advance its clock: webhooks are retried, holds expire and refunds
          arrive at once. The same seed makes the same service again, on every machine.
        </EmptyState>
      )}
      <Permitted to="keys:write" isQuiet>
        <Stack gap="sm">
          {sandboxes.map((sandbox) => (
            <SandboxCard
              key={sandbox.id}
              sandbox={sandbox}
              isForking={fork.isPending && fork.variables.id === sandbox.id}
              onFork={() => fork.mutate(sandbox, { onSuccess: ({ sandbox: copy }) => setCreated(copy) })}
              onDelete={() => setDeleting(sandbox)}
            />
          ))}
        </Stack>
      </Permitted>
      <GuardedModal
        opened={isCreating || created !== null}
        onClose={close}
        title="New sandbox"
        size="lg"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {created === null ? (
          <CreateSandbox onCreated={setCreated} />
        ) : (
          <IssuedSandbox sandbox={created} onDone={close} />
        )}
      </GuardedModal>
      <DeleteSandbox sandbox={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}
