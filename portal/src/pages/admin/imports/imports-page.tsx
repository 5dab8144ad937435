import { Anchor, Code, Table, Text } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { AdminTable } from "../admin-table.tsx";
import { idlePollMs, livePollMs, RunState } from "./run-state.tsx";

/** The imports into the catalogue, each with a link to its page. */
export function ImportsPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "imports"],
    queryFn: () => unwrap(api.GET("/admin/imports")),
    refetchInterval: ({ state }) =>
      state.data?.imports.some((run) => run.state === "running") === true ? livePollMs : idlePollMs,
  });
  return (
    <Page title="Imports" lead="Imports into the catalogue, newest first; the newest 100 are kept.">
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={10} height={32} />}
      {data?.imports.length === 0 && (
        <EmptyState icon={IconFileImport} title="No imports yet">
          <Code>npx beatmarket import beats.csv --map my-columns.json</Code> makes one.
        </EmptyState>
      )}
      {data !== undefined && data.imports.length > 0 && (
        <AdminTable
          label="Imports"
          head={["Import", "When", "State", "File", "Mapping", "Rows", "Created", "Updated", "Unchanged", "Rejected"]}
          numbers={[5, 6, 7, 8, 9]}
          minWidth={1000}
        >
          {data.imports.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </AdminTable>
      )}
    </Page>
  );
}

function RunRow({ run }: { run: components["schemas"]["AdminImport"] }) {
  return (
    <Table.Tr>
      <Table.Td ff="monospace">
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/admin/imports/$runId" params={{ runId: run.id }} {...props} />}
        >
          {run.id}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <RelativeTime at={run.started_at} />
      </Table.Td>
      <Table.Td title={run.error ?? undefined}>
        <RunState run={run} />
      </Table.Td>
      <Table.Td maw={240}>
        <Text size="sm" truncate title={run.file}>
          <bdi>{run.file}</bdi>
        </Text>
      </Table.Td>
      <Table.Td maw={160}>
        <Text size="sm" truncate title={run.mapping}>
          <bdi>{run.mapping}</bdi>
        </Text>
      </Table.Td>
      {[run.read_rows, run.created, run.updated, run.unchanged, run.rejected].map((count, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <Table.Td key={index} ta="right" {...(count === 0 && { c: "dimmed" })}>
          {count.toLocaleString("en")}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
