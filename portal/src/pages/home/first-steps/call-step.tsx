import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keyVariable } from "../../../../../contract/snippets/key-variable.ts";
import { send } from "../../../api/client.ts";
import { type Home, homeQuery } from "../../../api/home.ts";
import type { ApiKey } from "../../../api/keys.ts";
import { sessionQuery } from "../../../api/session.ts";
import { CallCode } from "../../../display/calls/call-code.tsx";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../../display/docs-links.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { firstCall } from "../first-call.tsx";

interface CallStepProps {
  keys: readonly ApiKey[];
  home: Home;
}

/**
 * The step of the first call, which the user copies into a terminal or runs on this page. Shows the newest failure
 * until a call succeeds.
 */
export function CallStep({ keys, home }: CallStepProps) {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const key = keys.find(({ permissions }) => permissions.includes("beats:read"));
  const call = useMutation({
    mutationFn: (keyId: number) =>
      send("/v1/beats?sort=popular&limit=3", { headers: { "x-explorer-key": String(keyId) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: homeQuery.queryKey }),
  });
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined };
  return (
    <Stack gap="sm">
      <Paper withBorder>
        <CallCode call={firstCall} connection={connection} />
      </Paper>
      <Group gap="md">
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={call.isPending}
          disabled={key === undefined}
          onClick={() => key !== undefined && call.mutate(key.id)}
        >
          Run it here
        </Button>
        <Group gap="xs" role="status">
          <Loader type="dots" size={16} aria-hidden />
          <Text size="sm" c="dimmed">
            Waiting for a call that works, from here or from your program.
          </Text>
        </Group>
      </Group>
      {key === undefined && (
        <Text size="sm" c="dimmed">
          None of your keys has the permission beats:read. A call of your program with another operation counts, too.
        </Text>
      )}
      {call.error !== null && <ErrorAlert error={call.error} />}
      <LastRefusal home={home} />
    </Stack>
  );
}

function LastRefusal({ home }: { home: Home }) {
  const [newest] = home.errors;
  if (newest === undefined) return null;
  const { status, reason, advice, latest } = newest;
  return (
    <Alert color="orange" variant="light" role="status">
      <Group gap="xs" align="baseline">
        <StatusBadge status={status} />
        <Anchor
          size="sm"
          ff="monospace"
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/log" search={{ call: latest.id }} {...props} />}
        >
          {latest.method} {latest.path}
        </Anchor>
      </Group>
      <Text size="sm" mt={4}>
        {reason} {advice} <DocsLink place={placeOfRefusal(status, newest.refused_by)}>{aboutRefusal(status)}</DocsLink>
      </Text>
    </Alert>
  );
}
