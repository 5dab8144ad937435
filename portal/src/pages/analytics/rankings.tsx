import { Anchor, Badge, Group, Paper, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { refusalLabel } from "../../display/calls/labels.ts";
import { StatusBadge } from "../../display/calls/status-badge.tsx";
import { type Analytics, milliseconds } from "./charts.tsx";

const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** `part` of `whole` in percent; a dash for 0 of 0. */
export const share = (part: number, whole: number): string => (whole === 0 ? "–" : percent.format(part / whole));

interface RankingProps {
  analytics: Analytics;
  /** The id of the chosen key; undefined: all keys. */
  apiKey: number | undefined;
}

/** The search parameters of the request log for the same time and key. */
const logSearch = ({ analytics, apiKey }: RankingProps) => ({
  from: analytics.from,
  to: analytics.to,
  ...(apiKey !== undefined && { key: apiKey }),
});

/** The most called operations. */
export function TopOperations(props: RankingProps) {
  return (
    <Ranking title="Endpoints" columns={["Operation", "Calls", "Refused or failed", "p50", "p95"]}>
      {props.analytics.operations.map((each) => (
        <Table.Tr key={each.operation}>
          <Table.Td>
            <Anchor
              size="xs"
              ff="monospace"
              renderRoot={(root) => (
                <Link to="/log" search={{ ...logSearch(props), operation: each.operation }} {...root} />
              )}
            >
              {operationName(each.operation)}
            </Anchor>
          </Table.Td>
          <Table.Td ta="right">{count.format(each.calls)}</Table.Td>
          <Table.Td ta="right">{share(each.refusals + each.failures, each.calls)}</Table.Td>
          <Table.Td ta="right">{milliseconds(each.p50_ms)}</Table.Td>
          <Table.Td ta="right">{milliseconds(each.p95_ms)}</Table.Td>
        </Table.Tr>
      ))}
    </Ranking>
  );
}

/** The most frequent errors. */
export function TopErrors(props: RankingProps) {
  const { errors } = props.analytics;
  if (errors.length === 0)
    return (
      <Panel title="Errors">
        <Text size="sm" c="dimmed">
          None: every call in this period succeeded.
        </Text>
      </Panel>
    );
  return (
    <Ranking title="Errors" columns={["Error", "Operation", "Calls"]}>
      {errors.map(({ status, refused_by, operation, calls }) => (
        <Table.Tr key={`${status} ${refused_by} ${operation}`}>
          <Table.Td>
            <Group gap={6} wrap="nowrap">
              <StatusBadge status={status} />
              <Text size="xs">
                {refused_by === "parameter"
                  ? "invalid parameter"
                  : (refusalLabel(refused_by) ?? statusWords[status] ?? "")}
              </Text>
            </Group>
          </Table.Td>
          <Table.Td>
            <Anchor
              size="xs"
              ff="monospace"
              renderRoot={(root) => <Link to="/log" search={{ ...logSearch(props), status, operation }} {...root} />}
            >
              {operationName(operation)}
            </Anchor>
          </Table.Td>
          <Table.Td ta="right">{count.format(calls)}</Table.Td>
        </Table.Tr>
      ))}
    </Ranking>
  );
}

const statusWords: Record<number, string> = {
  400: "invalid",
  404: "not found",
  405: "wrong method",
  409: "conflict",
  413: "too large",
  415: "not JSON",
  500: "server error",
};

const operationName = (operation: string): string => (operation === "none" ? "unknown path" : operation);

const windows = ["minute", "hour", "day"] as const;

/** The peak use of each key's limits and the calls that they refused. */
export function LimitUse({ analytics }: { analytics: Analytics }) {
  return (
    <Panel
      title="Use of limits"
      note="The busiest calendar minute, hour and day. The limits use sliding windows, so the peak may have been higher."
    >
      <Stack gap="md">
        {analytics.limits.map(({ key, plan, admitted, allowed, busiest, refused }) => (
          <Stack key={key.id} gap={6}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: "anywhere" }}>
                {key.name} …{key.ends_with}{" "}
                <Badge variant="light" color="gray" size="sm" radius="sm" tt="none">
                  {plan}
                </Badge>
              </Text>
              <Text size="xs" c="dimmed">
                {count.format(admitted)} admitted
              </Text>
            </Group>
            {windows.map((window) => (
              <WindowUse
                key={window}
                name={window}
                allowed={allowed[window]}
                busiest={busiest[window]}
                refused={refused[window]}
              />
            ))}
          </Stack>
        ))}
      </Stack>
    </Panel>
  );
}

interface WindowUseProps {
  name: string;
  /** Null: no limit. */
  allowed: number | null;
  /** Null: not recorded for this span. */
  busiest: number | null;
  refused: number;
}

function WindowUse({ name, allowed, busiest, refused }: WindowUseProps) {
  if (allowed === null || (busiest === null && refused === 0)) return null;
  const used = busiest === null ? 0 : Math.min(100, (busiest / allowed) * 100);
  const color = refused > 0 ? "red" : used > 80 ? "orange" : "teal";
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" w={48} style={{ flexShrink: 0 }}>
        {name}
      </Text>
      <Progress
        value={refused > 0 && busiest === null ? 100 : used}
        color={color}
        style={{ flexGrow: 1 }}
        aria-label={`Fullest ${name}: ${busiest ?? "unknown"} of ${allowed}`}
      />
      <Text size="xs" ta="right" style={{ flexShrink: 0, minWidth: 120 }}>
        {busiest === null ? "" : `${count.format(busiest)} of `}
        {count.format(allowed)}
        {refused > 0 && (
          <Text span inherit fw={600}>
            , {count.format(refused)} refused
          </Text>
        )}
      </Text>
    </Group>
  );
}

const Ranking = ({ title, columns, children }: { title: string; columns: readonly string[]; children: ReactNode }) => (
  <Panel title={title}>
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label={`${title}, table`}>
      <Table fz="xs" verticalSpacing={5}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} ta={textColumns.has(column) ? "left" : "right"} style={{ whiteSpace: "nowrap" }}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Panel>
);

const textColumns = new Set(["Operation", "Error"]);

function Panel({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId} style={{ minWidth: 0 }}>
      <Title order={2} size="h5" id={titleId} mb={note === undefined ? "sm" : 0}>
        {title}
      </Title>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      {children}
    </Paper>
  );
}
