import { Anchor, Group, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { refusalLabel } from "../../display/calls/labels.ts";
import { StatusBadge } from "../../display/calls/status-badge.tsx";
import { type Analytics, milliseconds } from "./charts.tsx";
import { Part } from "./part.tsx";
import { share } from "./totals.tsx";

const count = new Intl.NumberFormat("en");
interface RankingProps {
  analytics: Analytics;
  /** The id of the chosen key; undefined means all keys. */
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
      <Part title="Errors">
        <Text size="sm" c="dimmed">
          None: every call in this period succeeded.
        </Text>
      </Part>
    );
  return (
    <Ranking title="Errors" columns={["Error", "Operation", "Calls"]}>
      {errors.map(({ status, refused_by, operation, calls }) => (
        <Table.Tr key={`${status} ${refused_by} ${operation}`}>
          <Table.Td>
            <Group gap="xs" wrap="nowrap">
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

const Ranking = ({ title, columns, children }: { title: string; columns: readonly string[]; children: ReactNode }) => (
  <Part title={title}>
    <Table.ScrollContainer minWidth={0} tabIndex={0} role="region" aria-label={`${title}, table`}>
      <Table fz="xs" verticalSpacing={4}>
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
  </Part>
);

const textColumns = new Set(["Operation", "Error"]);
