import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../../display/page.tsx";
import { ProducerLink } from "../../../display/producer-link.tsx";
import { FutureTime, RelativeTime } from "../../../display/relative-time.tsx";
import { reportReasons, reportStates } from "../../../display/report-labels.ts";
import { AccountLink } from "../account-link.tsx";
import { type ReportsSearch, withChanges } from "../admin-search.ts";
import { CursorPager, KindTabs } from "../list-controls.tsx";
import { ReportActions } from "./report-actions.tsx";

type Report = components["schemas"]["AdminReport"];

const route = getRouteApi("/frame/signed-in/operators/admin/reports");
const choices = {
  open: "Open",
  notice_sent: "Notice sent",
  countered: "Countered",
  upheld: "Upheld",
  rejected: "Rejected",
} as const;

/** Reports of beats, and their outcomes. */
export function AdminReportsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = (change: Parameters<typeof withChanges<ReportsSearch>>[1]) =>
    void navigate({ to: "/admin/reports", search: withChanges(search, change), resetScroll: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["admin", "reports", search],
    queryFn: () => unwrap(api.GET("/admin/reports", { params: { query: queryOf(search) } })),
    placeholderData: keepPreviousData,
  });
  const { beat, producer } = search;
  return (
    <Page title="Reports" lead="Reports of beats, newest first. A producer is heard before a report is upheld.">
      <Stack gap="sm">
        <div style={{ overflowX: "auto" }}>
          <KindTabs
            label="State of the report"
            value={search.state}
            choices={choices}
            onChange={(state) => open({ state })}
          />
        </div>
        {(beat !== undefined || producer !== undefined) && (
          <Text size="sm" c="dimmed">
            Only those of {beat !== undefined ? `beat ${beat}` : `account ${producer}`}.{" "}
            <Anchor component="button" size="sm" onClick={() => open({ beat: undefined, producer: undefined })}>
              Show all
            </Anchor>
          </Text>
        )}
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {isPending && <RowsSkeleton rows={4} height={120} />}
        {data?.reports.length === 0 && (
          <EmptyState icon={IconFlag} title="No such reports">
            Each public page of a beat leads to the form. You get a mail for each report.
          </EmptyState>
        )}
        {data?.reports.map((report) => (
          <ReportCard key={report.id} report={report} />
        ))}
        {data !== undefined && (
          <CursorPager next={data.next} before={search.before} onOpen={(before) => open({ before })} />
        )}
      </Stack>
    </Page>
  );
}

const queryOf = ({ state, ...search }: ReportsSearch) => ({ ...search, state: state ?? ("all" as const) });

function ReportCard({ report }: { report: Report }) {
  const { label, color } = reportStates[report.state];
  return (
    <Paper component="article" withBorder p="md" aria-label={`Report ${report.id}`}>
      <Stack gap="xs">
        <Group gap="xs">
          <Badge color={color} variant="light" radius="sm" tt="none">
            {label}
          </Badge>
          {report.is_due && (
            <Badge color="orange" variant="filled" radius="sm" tt="none" autoContrast>
              waits for you
            </Badge>
          )}
          <Title order={2} size="h5">
            Report {report.id}: {reportReasons[report.reason]}
          </Title>
        </Group>
        <Text size="sm" component="div">
          <Anchor
            inherit
            renderRoot={(props) => <Link to="/admin/beats" search={{ q: String(report.beat.id) }} {...props} />}
          >
            <bdi>{report.beat.title}</bdi>
          </Anchor>
          {report.beat.is_taken_down && " (taken down)"} by{" "}
          <ProducerLink id={report.producer.user_id} name={report.producer_name} />,{" "}
          <AccountLink account={report.producer} />
          {report.producer_upheld > 0 && (
            <Text span inherit c="red">
              {" "}
              ·{" "}
              {report.producer_upheld === 1
                ? "1 report of this producer was upheld"
                : `${report.producer_upheld} reports of this producer were upheld`}
            </Text>
          )}
        </Text>
        <Statement author={report.email ?? "Erased address"} at={report.created_at}>
          {report.details ?? "Erased."}
        </Statement>
        {report.noticed_at !== null && report.counter_until !== null && (
          <Text size="xs" c="dimmed" component="div">
            Notice sent <RelativeTime at={report.noticed_at} />.
            {report.state === "notice_sent" && !report.is_due && (
              <>
                {" "}
                The time to counter it ends <FutureTime at={report.counter_until} />.
              </>
            )}
          </Text>
        )}
        {report.countered_at !== null && (
          <Statement author="Its producer" at={report.countered_at}>
            {report.counter ?? "Erased."}
          </Statement>
        )}
        {report.state === "countered" && report.decide_until !== null && (
          <Text size="xs" c="dimmed" component="div">
            The time to decide {report.is_due ? "ended" : "ends"} <FutureTime at={report.decide_until} />.
          </Text>
        )}
        {report.decided_at !== null && (
          <Statement author="The operator" at={report.decided_at}>
            {report.decision}
          </Statement>
        )}
        <ReportActions report={report} />
      </Stack>
    </Paper>
  );
}

const Statement = ({ author, at, children }: { author: string; at: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed" component="div">
      <bdi>{author}</bdi>, <RelativeTime at={at} />
    </Text>
    <Text size="sm" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {children}
    </Text>
  </div>
);
