import { Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import type { LoggedCall } from "../../../api/calls.ts";
import { durationLabel, refusalLabel } from "../../../display/calls/labels.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { ExactTime } from "../../../display/exact-time.tsx";
import { useTimeZone, zoneName } from "../../../display/time-zone.tsx";
import classes from "./call-table.module.css";

interface CallTableProps {
  calls: readonly LoggedCall[];
  /** The id of the open entry. */
  openId: number | undefined;
  onOpen: (id: number) => void;
}

/**
 * Calls, one per row with a link. The arrow keys, Home and End move the focus between the links. While an entry is
 * open, some columns are hidden.
 */
export function CallTable({ calls, openId, onOpen }: CallTableProps) {
  const [zone] = useTimeZone();
  return (
    <Table.ScrollContainer minWidth={0} tabIndex={0} role="region" aria-label="Calls">
      <Table
        className={openId === undefined ? classes.table : `${classes.table} ${classes.compact}`}
        highlightOnHover
        verticalSpacing={4}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.time} title={zoneName(zone)}>
              Time{zone === "utc" && " (UTC)"}
            </Table.Th>
            <Table.Th className={classes.status}>Status</Table.Th>
            <Table.Th>Call</Table.Th>
            <Table.Th className={classes.reason}>Refused for</Table.Th>
            <Table.Th className={classes.key}>Key</Table.Th>
            <Table.Th className={classes.duration} ta="right">
              Duration
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={moveFocus}>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} isOpen={call.id === openId} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The id of the element in a call's row that gets the focus. */
export const callLinkId = (id: number): string => `call-${id}`;

function CallRow({ call, isOpen, onOpen }: { call: LoggedCall; isOpen: boolean; onOpen: (id: number) => void }) {
  const refusal = refusalLabel(call.refused_by);
  return (
    <Table.Tr className={classes.row} aria-current={isOpen} onClick={() => onOpen(call.id)}>
      <Table.Td className={classes.time}>
        <Text size="xs" component="div">
          <ExactTime at={call.time} dayClass={classes.day} />
        </Text>
      </Table.Td>
      <Table.Td className={classes.outcome}>
        <StatusBadge status={call.status} />
      </Table.Td>
      <Table.Td className={classes.what}>
        <Link
          id={callLinkId(call.id)}
          from="/log"
          to="/log"
          search={(search) => ({ ...search, call: call.id })}
          resetScroll={false}
          className={classes.call}
          title={`${call.method} ${call.path}${call.query && `?${call.query}`}`}
          onClick={(event) => event.stopPropagation()}
        >
          <span className={classes.method}>{call.method} </span>
          <span className={classes.target}>
            {call.path}
            {call.query !== "" && <span className={classes.query}>?{call.query}</span>}
          </span>
        </Link>
      </Table.Td>
      <Table.Td className={classes.reason}>
        {refusal !== null && (
          <Text size="xs" className={classes.oneLine} title={refusal} dir="auto">
            {refusal}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.key}>
        <Text size="xs" className={classes.oneLine} dir="auto" title={keyLabel(call.key)}>
          {call.key.name ?? keyLabel(call.key)}
        </Text>
      </Table.Td>
      <Table.Td className={classes.duration} ta="right">
        <Text size="xs">{durationLabel(call.duration_ms)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** The name and last characters of a key; its id once the key is deleted. */
export const keyLabel = ({ id, name, ends_with }: LoggedCall["key"]): string =>
  name === null ? `key ${id}` : `${name} …${ends_with}`;

const steps: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, last) => last,
};

/** Moves the focus to another row. Ignores keys that `useCallKeys` has handled, as it does while an entry is open. */
function moveFocus(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = steps[event.key];
  if (step === undefined || event.defaultPrevented || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  event.preventDefault();
  links[step(links.indexOf(event.target), links.length - 1)]?.focus();
}
