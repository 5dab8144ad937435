import { Table, Text } from "@mantine/core";
import type { components } from "../api/paths.ts";
import { RelativeTime } from "./relative-time.tsx";

/** Entries of an account's log: when, what, and who or from where. */
export function AuditTable({ entries }: { entries: readonly components["schemas"]["AuditEntry"][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Entries" tabIndex={0} style={{ overflowX: "auto" }}>
      <Table miw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>From</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ id, time, what, subject, by, person, client_address, user_agent }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <RelativeTime at={time} />
              </Table.Td>
              <Table.Td maw={420} style={{ overflowWrap: "anywhere" }}>
                {what}
                {subject !== "" && (
                  <Text size="xs" c="dimmed" dir="auto" lineClamp={2}>
                    {subject}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {by === "operator" ? "the operator" : (person ?? client_address)}
                <Text size="xs" c="dimmed" lineClamp={1} maw={260} dir="auto" title={user_agent}>
                  {user_agent}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
