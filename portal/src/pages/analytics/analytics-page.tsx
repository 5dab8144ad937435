import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { IconChartLine, IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { loggedKeysQuery } from "../../api/calls.ts";
import { api, unwrap } from "../../api/client.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page } from "../../display/page.tsx";
import { Select } from "../../display/select.tsx";
import { rangeText, TimeZoneSwitch, useTimeZone } from "../../display/time-zone.tsx";
import { type AnalyticsSearch, type Span, spans } from "./analytics-search.ts";
import { type Analytics, CallsChart, DurationsChart } from "./charts.tsx";
import { LimitUse } from "./limit-use.tsx";
import { TopErrors, TopOperations } from "./rankings.tsx";
import { Totals } from "./totals.tsx";

/** Polling intervals. A chart with short bars polls more often, because a new call changes it more. */
const pollMs: Record<Span, number> = { hour: 10_000, day: 60_000, week: 60_000, month: 60_000 };
const spanLabels: Record<Span, string> = { hour: "Hour", day: "Day", week: "Week", month: "Month" };

/** Counts, durations, errors and limits of the account's calls, or of one key's calls. */
export function AnalyticsPage() {
  const search = useSearch({ from: "/frame/signed-in/analytics" });
  const { span = "day", key, from, to } = search;
  const [zone] = useTimeZone();
  const navigate = useNavigate({ from: "/analytics" });
  const change = (changed: Changed) =>
    navigate({ search: { ...search, ...changed } as AnalyticsSearch, resetScroll: false });
  const analytics = useQuery({
    queryKey: ["analytics", span, key, from, to],
    queryFn: () =>
      unwrap(
        api.GET("/analytics", {
          params: {
            query: {
              span,
              ...(key !== undefined && { key }),
              ...(from !== undefined && { from }),
              ...(from !== undefined && to !== undefined && { to }),
            },
          },
        }),
      ),
    refetchInterval: to === undefined ? pollMs[span] : false,
    placeholderData: keepPreviousData,
  });
  const keys = useQuery(loggedKeysQuery).data?.keys ?? [];
  return (
    <Page
      title="Analytics"
      lead="Your calls over time, with their results and durations."
      actions={
        <>
          <Select
            aria-label="API key"
            placeholder="All keys"
            clearable
            size="xs"
            w={190}
            value={key === undefined ? null : String(key)}
            data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} …${ends_with}` }))}
            onChange={(keyId) => change({ key: keyId === null ? undefined : Number(keyId) })}
          />
          <SegmentedControl
            aria-label="How far to look back"
            size="xs"
            value={from === undefined ? span : ""}
            data={spans.map((value) => ({ value, label: spanLabels[value] }))}
            onChange={(option) => change({ span: option as Span, from: undefined, to: undefined })}
          />
          <TimeZoneSwitch />
        </>
      }
    >
      {from !== undefined && (
        <Button
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => change({ from: undefined, to: undefined })}
        >
          {to === undefined ? "Since " : ""}
          {rangeText(Date.parse(from), Date.parse(to ?? from), zone).replace(to === undefined ? / – .*/ : "", "")}: show
          the last {span}
        </Button>
      )}
      {analytics.isError && analytics.data === undefined ? (
        <ErrorAlert error={analytics.error} onRetry={() => analytics.refetch()} />
      ) : analytics.data === undefined ? (
        <PageSkeleton />
      ) : analytics.data.total.calls === 0 ? (
        <NoCalls
          span={from === undefined ? span : undefined}
          onWiden={() => change({ span: "month", from: undefined, to: undefined })}
        />
      ) : (
        <Figures analytics={analytics.data} apiKey={key} onZoom={(start, end) => change({ from: start, to: end })} />
      )}
    </Page>
  );
}

/** Changes of the address; undefined removes a parameter. */
type Changed = { [Name in keyof AnalyticsSearch]?: AnalyticsSearch[Name] | undefined };

interface FiguresProps {
  analytics: Analytics;
  apiKey: number | undefined;
  onZoom: (from: string, to: string | undefined) => void;
}

function Figures({ analytics, apiKey, onZoom }: FiguresProps) {
  return (
    <Stack gap={40}>
      <Totals analytics={analytics} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={40} verticalSpacing={40}>
        <CallsChart analytics={analytics} onZoom={onZoom} />
        <DurationsChart analytics={analytics} onZoom={onZoom} />
        <TopOperations analytics={analytics} apiKey={apiKey} />
        <TopErrors analytics={analytics} apiKey={apiKey} />
      </SimpleGrid>
      {analytics.limits.length > 0 && <LimitUse analytics={analytics} />}
    </Stack>
  );
}

const PageSkeleton = () => (
  <Stack gap="md" aria-hidden>
    <Skeleton height={64} />
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Skeleton height={330} />
      <Skeleton height={330} />
      <Skeleton height={220} />
      <Skeleton height={220} />
    </SimpleGrid>
  </Stack>
);

function NoCalls({ span, onWiden }: { span: Span | undefined; onWiden: () => void }) {
  return (
    <EmptyState
      icon={IconChartLine}
      title={span === undefined ? "No calls in this time" : `No calls in the last ${span}`}
      action={
        <Group gap="xs" justify="center">
          {span !== "month" && (
            <Button variant="default" onClick={onWiden}>
              Look at the last month
            </Button>
          )}
          <Button renderRoot={(props) => <Link to="/explorer" {...props} />}>Try a call in the explorer</Button>
        </Group>
      }
    >
      Calls show here a few seconds after a key is used.
    </EmptyState>
  );
}
