import { Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import classes from "./explorer.module.css";

type LimitWindow = components["schemas"]["LimitWindow"];

const refreshMs = 5_000;
const windowNames = ["minute", "hour", "day"] as const;
const count = new Intl.NumberFormat("en");

export const limitsKey = (keyId: number) => ["explorer-limits", keyId] as const;

/** How much of each window is left: of the explorer, which this page uses, and of the key elsewhere. Kept up to date. */
export function Limits({ keyId }: { keyId: number }) {
  const { data } = useQuery({
    queryKey: limitsKey(keyId),
    queryFn: () => answered(api.GET("/explorer/keys/{key_id}/limits", { params: { path: { key_id: keyId } } })),
    refetchInterval: refreshMs,
    staleTime: 0,
    placeholderData: (previous) => previous,
  });
  return (
    <div className={classes.limits}>
      <WindowRow label="Explorer" windows={data?.explorer} />
      <WindowRow label="This key elsewhere" windows={data?.key} />
    </div>
  );
}

/** `windows` are unknown while undefined, and none where there is no limit. */
function WindowRow({ label, windows }: { label: string; windows: readonly LimitWindow[] | undefined }) {
  return (
    <>
      <Text size="xs" c="dimmed" component="span" className={classes.limitsLabel}>
        {label}
      </Text>
      {windows?.length === 0 ? (
        <Text size="xs" className={classes.unlimited}>
          no limit
        </Text>
      ) : (
        windowNames.map((name) => <Gauge key={name} name={name} window={windows?.find((its) => its.name === name)} />)
      )}
    </>
  );
}

function Gauge({ name, window }: { name: string; window: LimitWindow | undefined }) {
  const left = window?.remaining ?? 0;
  const share = window === undefined ? 0 : (100 * left) / window.limit;
  return (
    <div>
      <Group justify="space-between" gap={6} wrap="nowrap">
        <Text size="xs" c="dimmed" component="span">
          {name}
        </Text>
        <Text size="xs" component="span" style={{ whiteSpace: "nowrap" }}>
          {window === undefined ? "…" : `${count.format(left)} of ${count.format(window.limit)}`}
        </Text>
      </Group>
      <Progress value={share} size={4} color={share < 10 ? "red" : share < 30 ? "yellow" : "teal"} aria-hidden />
    </div>
  );
}
