import { Code, Group, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/calls/call-code.tsx";
import { CopyButton } from "../../display/copy-button.tsx";
import { Section } from "../../display/section.tsx";

/** The call of the first steps: three popular beats. */
export const firstCall = { operationId: "listBeats", query: { sort: "popular", limit: 3 } };

/** The base address of the API, and code for a first call. */
export function FirstCall() {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined };
  return (
    <Section
      title="Call the API"
      note={
        <Group gap={4} component="span">
          <Code style={{ overflowWrap: "anywhere" }}>{session.base_url}</Code>
          <CopyButton value={session.base_url} label="Copy base address" />
        </Group>
      }
    >
      <Paper withBorder>
        <CallCode call={firstCall} connection={connection} />
      </Paper>
      <Text size="xs" c="dimmed" mt="xs" style={{ overflowWrap: "anywhere" }}>
        The key is read from the environment variable <Code>{keyVariable}</Code>, so that no source code contains it.
      </Text>
    </Section>
  );
}
