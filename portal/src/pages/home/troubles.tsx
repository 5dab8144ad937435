import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { answered, api } from "../../api/client.ts";
import { RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";

const everyMs = 5_000;

/** The newest calls that were refused or failed, why, and what to do about it. */
export function Troubles() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["troubles"],
    queryFn: () => answered(api.GET("/home/troubles")),
    refetchInterval: everyMs,
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="troubles">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id="troubles">
          What went wrong in the last day
        </Title>
        <Anchor size="sm" renderRoot={(its) => <Link to="/log" {...its} />}>
          Request log
        </Anchor>
      </Group>
      {isPending && <RowsSkeleton rows={3} height={54} />}
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
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
                renderRoot={(its) => <Link to="/log" search={{ call: id }} {...its} />}
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
