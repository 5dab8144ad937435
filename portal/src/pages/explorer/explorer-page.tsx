import { Alert, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { answered, api } from "../../api/client.ts";
import { useAccount } from "../../api/session.ts";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { Console } from "./console.tsx";
import { formOf } from "./explorer-call.ts";
import { operationsQuery } from "./operations.ts";
import { Reference } from "./reference.tsx";

const firstOperation = "listBeats";

/** Every operation to be tried, and the reference to read; readable by anyone, calls are for whoever is signed in. */
export function ExplorerPage() {
  const search = useSearch({ from: "/frame/explorer" });
  const navigate = useNavigate({ from: "/explorer" });
  const account = useAccount();
  const operations = useQuery(operationsQuery);
  const callId = account === null ? undefined : search.call;
  const logged = useQuery({
    queryKey: ["call", callId],
    queryFn: () => answered(api.GET("/calls/{call_id}", { params: { path: { call_id: callId ?? 0 } } })),
    enabled: callId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const filled = logged.data === undefined ? null : formOf(logged.data, operations.data ?? []);
  const shown =
    operations.data?.find(({ id }) => id === (search.operation ?? filled?.operation.id)) ??
    operations.data?.find(({ id }) => id === firstOperation);
  const failed = operations.error ?? logged.error;

  return (
    <Page
      title="Explorer"
      lead="Call the API with one of your keys, and hear what comes back."
      actions={
        <SegmentedControl
          aria-label="What to look at"
          data={[
            { value: "console", label: "Try it" },
            { value: "reference", label: "Reference" },
          ]}
          value={search.view ?? "console"}
          onChange={(view) =>
            navigate({ search: ({ view: _, ...rest }) => (view === "reference" ? { ...rest, view } : rest) })
          }
        />
      }
    >
      {failed && (
        <ProblemAlert error={failed} onRetry={() => void (operations.error ? operations : logged).refetch()} />
      )}
      {logged.data !== undefined && filled === null && operations.data !== undefined && (
        <Alert color="yellow" title="This call cannot be filled in">
          {logged.data.method} {logged.data.path} is none of the API's operations.
        </Alert>
      )}
      {search.view === "reference" ? (
        <Reference operation={shown} />
      ) : shown === undefined || (callId !== undefined && logged.isLoading) ? (
        operations.error === null && <RowsSkeleton rows={10} />
      ) : (
        <Console
          key={callId}
          operations={operations.data ?? []}
          operation={shown}
          filled={filled}
          onChoose={(operation) => navigate({ search: (rest) => ({ ...rest, operation }) })}
        />
      )}
    </Page>
  );
}
