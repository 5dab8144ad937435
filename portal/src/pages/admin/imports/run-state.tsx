import { Badge, Group, Progress, Text } from "@mantine/core";
import type { components } from "../../../api/paths.ts";

type Run = components["schemas"]["AdminImport"];

const colors = { running: "blue", finished: "teal", failed: "red", interrupted: "yellow" } as const;

/** The state of an import, and the progress of a running one. */
export function RunState({ run }: { run: Pick<Run, "state" | "read_bytes" | "size_bytes"> }) {
  const percent =
    run.size_bytes === null || run.size_bytes === 0 ? null : Math.floor((run.read_bytes / run.size_bytes) * 100);
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color={colors[run.state]} variant="light" radius="sm" tt="none">
        {run.state}
      </Badge>
      {run.state === "running" && percent !== null && (
        <>
          <Progress value={percent} w={72} size="sm" aria-label={`${percent}% of the file read`} />
          <Text size="xs" c="dimmed">
            {percent}%
          </Text>
        </>
      )}
    </Group>
  );
}

/** The polling interval while an import runs. */
export const livePollMs = 2_000;
/** The polling interval while no import runs, since one may begin. */
export const idlePollMs = 15_000;
