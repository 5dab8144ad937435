import { Code, Group, Paper, Select, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "../../api/keys.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/calls/call-code.tsx";
import { CopyButton } from "../../display/copy-button.tsx";
import { maskedKey } from "../../display/masked-key.ts";
import { keyVariable } from "./key-variable.ts";

const call = { operationId: "listBeats", query: { sort: "popular", limit: 3 } };

/** The base address of the API and code for a first call with one of the account's keys. */
export function FirstCall({ keys }: { keys: readonly ApiKey[] }) {
  const { data: session } = useQuery(sessionQuery);
  const [chosen, choose] = useState<string | null>(null);
  const key = keys.find(({ id }) => String(id) === chosen) ?? keys[0];
  const variable = keyVariable(key?.name ?? "");
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable: variable, caFile: session.ca_file ?? undefined };
  return (
    <Paper withBorder component="section" aria-labelledby="first-call">
      <Group p="md" justify="space-between" gap="sm">
        <div>
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
        {keys.length > 0 && (
          <Select
            size="xs"
            label="With the key"
            w={220}
            data={keys.map((each) => ({
              value: String(each.id),
              label: `${each.name.slice(0, 40)} (${maskedKey(each)})`,
            }))}
            value={String(key?.id)}
            onChange={choose}
            allowDeselect={false}
          />
        )}
      </Group>
      <CallCode call={call} connection={connection} />
      <Text size="xs" c="dimmed" p="md" pt={4} style={{ overflowWrap: "anywhere" }}>
        The key{" "}
        {key !== undefined && (
          <b dir="auto">
            {key.name.slice(0, 80)} ({maskedKey(key)}){" "}
          </b>
        )}
        is read from the environment variable <Code>{variable}</Code>, so that no source code contains it.
      </Text>
    </Paper>
  );
}
