import { Alert, Button, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Facts } from "../../../display/facts.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import { Section } from "../../../display/section.tsx";
import { AdminTable } from "../admin-table.tsx";
import { livePollMs, RunState } from "./run-state.tsx";

type Run = components["schemas"]["AdminImportDetail"];

const route = getRouteApi("/frame/signed-in/operators/admin/imports/$runId");

/** One import: its counts, why rows were rejected, and the rows. */
export function ImportPage() {
  const { runId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "import", runId],
    queryFn: () => unwrap(api.GET("/admin/imports/{run_id}", { params: { path: { run_id: runId } } })),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? livePollMs : false),
  });
  return (
    <Page
      title={`Import ${runId}`}
      lead={
        data && (
          <>
            <bdi>{data.file}</bdi>, read by the mapping <bdi>{data.mapping}</bdi>
          </>
        )
      }
      actions={
        data !== undefined &&
        data.rejects.length > 0 && (
          <Button
            component="a"
            href={`/portal/api/admin/imports/${runId}/rejects`}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
          >
            Rejected rows
          </Button>
        )
      }
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <RowsSkeleton rows={8} height={32} />}
      {data !== undefined && <Details run={data} />}
    </Page>
  );
}

const number = (count: number) => count.toLocaleString("en");

function Details({ run }: { run: Run }) {
  return (
    <Stack gap="lg">
      {run.error !== null && (
        <Alert
          color={run.state === "failed" ? "red" : "yellow"}
          variant="light"
          icon={<IconAlertTriangle />}
          title={run.state === "failed" ? "This import failed" : "This import was interrupted"}
        >
          {run.error}
        </Alert>
      )}
      <Facts
        rows={[
          ["State", <RunState key="state" run={run} />],
          ["Started", <RelativeTime key="started" at={run.started_at} />],
          ["Ended", run.ended_at === null ? "not yet" : <RelativeTime key="ended" at={run.ended_at} />],
          ["By", "a command"],
          ["Rows", number(run.read_rows)],
          ["Created", number(run.created)],
          ["Updated", number(run.updated)],
          ["Unchanged", number(run.unchanged)],
          ["Rejected", number(run.rejected)],
        ]}
      />
      {run.reasons.length > 0 && <Reasons run={run} />}
      {run.rejects.length > 0 && <Rejects run={run} />}
    </Stack>
  );
}

const Reasons = ({ run }: { run: Run }) => (
  <Section title="Why rows were rejected">
    <AdminTable label="Reasons" head={["Reason", "Rows", "Share", "First lines"]} numbers={[1, 2]} minWidth={480}>
      {run.reasons.map(({ reason, times, first_lines: lines }) => (
        <Table.Tr key={reason}>
          <Table.Td>{reason}</Table.Td>
          <Table.Td ta="right">{number(times)}</Table.Td>
          <Table.Td ta="right">{shareText(times, run.reasons)}</Table.Td>
          <Table.Td ff="monospace" fz="xs">
            {lines.join(", ")}
            {times > lines.length && " …"}
          </Table.Td>
        </Table.Tr>
      ))}
    </AdminTable>
  </Section>
);

function shareText(times: number, reasons: Run["reasons"]): string {
  const percent = (times / reasons.reduce((sum, reason) => sum + reason.times, 0)) * 100;
  return percent < 1 ? "< 1%" : `${Math.round(percent)}%`;
}

const Rejects = ({ run }: { run: Run }) => (
  <Section
    title="Rejected rows"
    note={run.rejected > run.rejects.length && `the first ${run.rejects.length}; the download has up to 1,000`}
  >
    <AdminTable label="Rows" head={["Line", "Reason", "Row"]} numbers={[0]} minWidth={720}>
      {run.rejects.map(({ line, reason, row }) => (
        <Table.Tr key={`${line} ${reason}`}>
          <Table.Td ta="right" w={80} ff="monospace" fz="xs">
            {line}
          </Table.Td>
          <Table.Td maw={300}>{reason}</Table.Td>
          <Table.Td maw={420}>
            <Text ff="monospace" fz="xs" truncate title={row} dir="ltr">
              <bdi>{row}</bdi>
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </AdminTable>
  </Section>
);
