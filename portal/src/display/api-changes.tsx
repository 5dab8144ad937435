import { Button, Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiChange, apiChangesQuery } from "../api/api-changes.ts";
import { useAccount, useRefusal } from "../api/session.ts";
import classes from "./api-changes.module.css";
import { readDismissed, writeDismissed } from "./dismissed-changes.ts";
import { DocumentLink } from "./document-link.tsx";
import { Section } from "./section.tsx";

const kindNames: Record<ApiChange["kind"], string> = {
  added: "Added",
  changed: "Changed",
  fixed: "Fixed",
  deprecated: "Deprecated",
};

/**
 * Lists the API changes since the account's last calls, until the user dismisses them. Renders nothing without changes.
 */
export function ApiChanges() {
  const account = useAccount();
  const refusal = useRefusal("calls:read");
  const { data } = useQuery({ ...apiChangesQuery, enabled: account !== null && refusal === undefined });
  const [dismissed, setDismissed] = useState(readDismissed);
  const changes = data?.changes.filter(({ id }) => !dismissed.includes(id)) ?? [];
  if (account === null || refusal !== undefined || changes.length === 0) return null;
  const dismiss = () => {
    const ids = [...dismissed, ...changes.map(({ id }) => id)];
    writeDismissed(ids);
    setDismissed(ids);
  };
  return (
    <Section
      title="API changes since your last call"
      note={<DocumentLink href="/changelog">All changes</DocumentLink>}
      actions={
        <Button variant="default" size="xs" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <ul className={classes.changes}>
        {changes.map((change) => (
          <li key={change.id}>
            <DocumentLink href={change.path}>{change.title}</DocumentLink>
            <Group gap="xs" mt={2}>
              <Text size="sm" c="dimmed">
                {kindNames[change.kind]} on <time dateTime={change.date}>{change.date}</time>
              </Text>
              {change.operations.map((operation) => (
                <Code key={operation}>{operation}</Code>
              ))}
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  );
}
