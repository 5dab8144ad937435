import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";

const pollMs = 5_000;

/** The latest calls with a 4xx or 5xx response, the reason of each, and what to do about it. */
export function RecentErrors() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["recent-errors"],
    queryFn: () => unwrap(api.GET("/home/troubles")),
    refetchInterval: pollMs,
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="recent-errors">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id="recent-errors">
          What went wrong in the last day
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link to="/log" {...props} />}>
          Request log
        </Anchor>
      </Group>
      {isPending && <RowsSkeleton rows={3} height={54} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data?.calls.length === 0 && (
        <Group gap="xs" c="dimmed">
          <IconCircleCheck size={18} />
          <Text size="sm">Nothing: no call was refused or failed.</Text>
        </Group>
      )}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {data?.calls.map(({ id, time, method, path, status, reason, advice }) => (
          <li key={id}>
            <Group gap="xs" wrap="nowrap" align="baseline">
              <Badge variant="light" color={status >= 500 ? "red" : "orange"} radius="sm" style={{ flexShrink: 0 }}>
                {status}
              </Badge>
              <Anchor
                size="sm"
                ff="monospace"
                dir="ltr"
                lineClamp={1}
                style={{ overflowWrap: "anywhere", flex: 1, unicodeBidi: "isolate" }}
                renderRoot={(props) => <Link to="/log" search={{ call: id }} {...props} />}
              >
                {method} {path}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <RelativeTime at={time} />
              </Text>
            </Group>
            <Text size="sm" mt={2} style={{ overflowWrap: "anywhere" }}>
              {reason}{" "}
              <Text span inherit c="dimmed">
                {advice}
              </Text>
            </Text>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
