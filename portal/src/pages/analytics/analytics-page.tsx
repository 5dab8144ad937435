import { Button, Group, Paper, SegmentedControl, Select, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconChartLine } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { loggedKeysQuery } from "../../api/calls.ts";
import { api, unwrap } from "../../api/client.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page } from "../../display/page.tsx";
import { type AnalyticsSearch, type Span, spans } from "./analytics-search.ts";
import { type Analytics, CallsChart, DurationsChart, milliseconds } from "./charts.tsx";
import { LimitUse, share, TopErrors, TopOperations } from "./rankings.tsx";

/** Polling intervals: how soon a new call changes a bar visibly. */
const pollMs: Record<Span, number> = { hour: 10_000, day: 60_000, week: 60_000, month: 60_000 };
const spanLabels: Record<Span, string> = { hour: "Hour", day: "Day", week: "Week", month: "Month" };

/** Counts, durations, errors and limits of the account's calls, or of one key's calls. */
export function AnalyticsPage() {
  const search = useSearch({ from: "/frame/signed-in/analytics" });
  const { span = "day", key } = search;
  const navigate = useNavigate({ from: "/analytics" });
  const change = (changed: AnalyticsSearch) => navigate({ search: changed, resetScroll: false });
  const analytics = useQuery({
    queryKey: ["analytics", span, key],
    queryFn: () => unwrap(api.GET("/analytics", { params: { query: { span, ...(key !== undefined && { key }) } } })),
    refetchInterval: pollMs[span],
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
            searchable
            size="xs"
            w={190}
            value={key === undefined ? null : String(key)}
            data={keys.map(({ id, name, ends_with }) => ({ value: String(id), label: `${name} …${ends_with}` }))}
            onChange={(chosen) =>
              change({ ...search, key: chosen === null ? undefined : Number(chosen) } as AnalyticsSearch)
            }
          />
          <SegmentedControl
            aria-label="How far to look back"
            size="xs"
            value={span}
            data={spans.map((value) => ({ value, label: spanLabels[value] }))}
            onChange={(chosen) => change({ ...search, span: chosen as Span })}
          />
        </>
      }
    >
      {analytics.isError && analytics.data === undefined ? (
        <ErrorAlert error={analytics.error} onRetry={() => analytics.refetch()} />
      ) : analytics.data === undefined ? (
        <PageSkeleton />
      ) : analytics.data.total.calls === 0 ? (
        <NoCalls span={span} onWiden={() => change({ ...search, span: "month" })} />
      ) : (
        <Figures analytics={analytics.data} apiKey={key} />
      )}
    </Page>
  );
}

function Figures({ analytics, apiKey }: { analytics: Analytics; apiKey: number | undefined }) {
  return (
    <Stack gap="md">
      <Totals analytics={analytics} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <CallsChart analytics={analytics} />
        <DurationsChart analytics={analytics} />
        <TopOperations analytics={analytics} apiKey={apiKey} />
        <TopErrors analytics={analytics} apiKey={apiKey} />
      </SimpleGrid>
      {analytics.limits.length > 0 && <LimitUse analytics={analytics} />}
    </Stack>
  );
}

const count = new Intl.NumberFormat("en");

function Totals({ analytics: { total } }: { analytics: Analytics }) {
  const figures = [
    ["Calls", count.format(total.calls)],
    ["Refused (4xx)", share(total.refusals, total.calls)],
    ["Failed (5xx)", share(total.failures, total.calls)],
    ["p50", milliseconds(total.p50_ms)],
    ["p95", milliseconds(total.p95_ms)],
    ["p99", milliseconds(total.p99_ms)],
  ] as const;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="xs" m={0}>
      {figures.map(([name, value]) => (
        <Paper key={name} withBorder px="md" py="xs">
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} fz="lg" fw={650}>
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
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

function NoCalls({ span, onWiden }: { span: Span; onWiden: () => void }) {
  return (
    <EmptyState
      icon={IconChartLine}
      title={span === "month" ? "No calls in the last month" : `No calls in the last ${span}`}
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
