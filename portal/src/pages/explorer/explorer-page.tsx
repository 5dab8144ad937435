import { Alert, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { callQuery } from "../../api/calls.ts";
import { sessionQuery } from "../../api/session.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { formOf } from "./call/explorer-call.ts";
import { operationsQuery } from "./call/operations.ts";
import { Console } from "./console.tsx";
import { Reference } from "./reference.tsx";

const firstOperation = "listBeats";

/** The API explorer: a console and the reference. Everyone can read; sending a call needs a session. */
export function ExplorerPage() {
  const search = useSearch({ from: "/frame/explorer" });
  const navigate = useNavigate({ from: "/explorer" });
  const session = useQuery(sessionQuery);
  const account = session.data?.account ?? null;
  const operations = useQuery(operationsQuery);
  const callId = account === null ? undefined : search.call;
  const loggedCall = useQuery({
    ...callQuery(callId ?? 0),
    enabled: callId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const filledForm = loggedCall.data === undefined ? null : formOf(loggedCall.data, operations.data ?? []);
  const visible =
    operations.data?.find(({ id }) => id === (search.operation ?? filledForm?.operation.id)) ??
    operations.data?.find(({ id }) => id === firstOperation);
  const error = operations.error ?? loggedCall.error;

  return (
    <Page
      title="Explorer"
      lead="Call the API with one of your keys and listen to the beats in the response."
      actions={
        <SegmentedControl
          aria-label="What to look at"
          data={[
            { value: "console", label: "Try it" },
            { value: "reference", label: "Reference" },
          ]}
          value={search.view ?? "console"}
          onChange={(view) =>
            navigate({
              search: ({ view: _, ...parameters }) => (view === "reference" ? { ...parameters, view } : parameters),
            })
          }
        />
      }
    >
      {error && (
        <ErrorAlert error={error} onRetry={() => void (operations.error ? operations : loggedCall).refetch()} />
      )}
      {loggedCall.data !== undefined && filledForm === null && operations.data !== undefined && (
        <Alert color="yellow" title="This call cannot be filled in">
          {loggedCall.data.method} {loggedCall.data.path} is not an operation of the API.
        </Alert>
      )}
      {filledForm?.isBodyLost && (
        <Alert color="yellow" title="The body of this call is not filled in">
          It is not a JSON object, or longer than what the log keeps: the first 4,000 bytes.
        </Alert>
      )}
      {search.view === "reference" ? (
        <Reference operation={visible} />
      ) : visible === undefined || session.isPending || (callId !== undefined && loggedCall.isLoading) ? (
        operations.error === null && <RowsSkeleton rows={10} />
      ) : (
        <Console
          key={account?.user_id}
          operations={operations.data ?? []}
          operation={visible}
          filledForm={filledForm}
        />
      )}
    </Page>
  );
}
