import { Code, Group, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/calls/call-code.tsx";
import { CopyButton } from "../../display/copy-button.tsx";

const call = { operationId: "listBeats", query: { sort: "popular", limit: 3 } };

/** The base address of the API, and code for a first call. */
export function FirstCall() {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined };
  return (
    <Paper withBorder component="section" aria-labelledby="first-call">
      <div style={{ padding: "var(--mantine-spacing-md)" }}>
        <Title order={2} size="h5" id="first-call">
          Call the API
        </Title>
        <Group gap={4} mt={4}>
          <Text size="sm" c="dimmed">
            Base address
          </Text>
          <Code style={{ overflowWrap: "anywhere" }}>{session.base_url}</Code>
          <CopyButton value={session.base_url} label="Copy base address" />
        </Group>
      </div>
      <CallCode call={call} connection={connection} />
      <Text size="xs" c="dimmed" p="md" pt={4} style={{ overflowWrap: "anywhere" }}>
        The key is read from the environment variable <Code>{keyVariable}</Code>, so that no source code contains it.
      </Text>
    </Paper>
  );
}
