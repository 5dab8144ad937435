import { Anchor, Badge, Group, Table, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ErrorGroup, Home } from "../../api/home.ts";
import { StatusBadge } from "../../display/calls/status-badge.tsx";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../display/docs-links.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { Section } from "../../display/section.tsx";
import classes from "./home.module.css";

const count = new Intl.NumberFormat("en");

/** The failures of the last day by reason and operation, each with advice. */
export function ErrorGroups({ home }: { home: Home }) {
  const { errors, errors_complete: isComplete } = home;
  return (
    <Section
      title="What went wrong"
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/log" {...props} />}>
          Request log
        </Anchor>
      }
    >
      {errors.length === 0 ? (
        <Group gap="xs" c="dimmed">
          <IconCircleCheck size={18} />
          <Text size="sm">Nothing: no call of the last 24 hours was refused or failed.</Text>
        </Group>
      ) : (
        <Table.ScrollContainer minWidth={0} tabIndex={0} role="region" aria-label="Errors">
          <Table
            className={classes.errors ?? ""}
            verticalSpacing="xs"
            styles={{ th: { whiteSpace: "nowrap" }, td: { verticalAlign: "top" } }}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={64}>Status</Table.Th>
                <Table.Th>Reason, and what to do</Table.Th>
                <Table.Th className={classes.wide ?? ""}>Operation</Table.Th>
                <Table.Th className={classes.wide ?? ""} ta="right">
                  Calls
                </Table.Th>
                <Table.Th className={classes.wide ?? ""} w={120}>
                  First
                </Table.Th>
                <Table.Th className={classes.wide ?? ""} w={120}>
                  Last
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {errors.map((group) => (
                <Row key={`${group.status} ${group.refused_by} ${group.operation}`} group={group} from={home.from} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!isComplete && (
        <Text size="sm" c="dimmed" mt="xs">
          There were more failures than are counted here: these are the newest.
        </Text>
      )}
    </Section>
  );
}

function Row({ group, from }: { group: ErrorGroup; from: string }) {
  const { status, operation, calls, latest, reason, advice } = group;
  const name = operation === "none" ? "no operation" : operation;
  const callsText = `${count.format(calls)} ${calls === 1 ? "call" : "calls"}`;
  const callsLink = (
    <Anchor
      inherit
      aria-label={`${callsText} in the log`}
      renderRoot={(props) => <Link to="/log" search={{ status, operation, from }} {...props} />}
    >
      {count.format(calls)}
      <span className={classes.narrow}>{calls === 1 ? " call" : " calls"}</span>
    </Anchor>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td>
        <Anchor
          size="sm"
          fw={500}
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/log" search={{ call: latest.id }} {...props} />}
        >
          {reason}
        </Anchor>{" "}
        {group.new && (
          <Badge size="xs" variant="light" color="orange" tt="none" radius="sm">
            New
          </Badge>
        )}
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
        <DocsLink place={placeOfRefusal(status, group.refused_by)}>{aboutRefusal(status)}</DocsLink>
        <Text size="xs" c="dimmed" mt={4} className={classes.narrow ?? ""}>
          {name} · {callsLink} · <RelativeTime at={group.first_seen_at} /> to <RelativeTime at={group.last_seen_at} />
        </Text>
      </Table.Td>
      <Table.Td maw={220} className={classes.wide ?? ""}>
        <Text size="xs" ff="monospace">
          {name}
        </Text>
        <Text size="xs" ff="monospace" c="dimmed" truncate dir="ltr" title={`${latest.method} ${latest.path}`}>
          {latest.method} {latest.path}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className={classes.wide ?? ""}>
        {callsLink}
      </Table.Td>
      <Table.Td className={classes.wide ?? ""}>
        <RelativeTime at={group.first_seen_at} />
      </Table.Td>
      <Table.Td className={classes.wide ?? ""}>
        <RelativeTime at={group.last_seen_at} />
      </Table.Td>
    </Table.Tr>
  );
}
