import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { LimitGauge } from "../../../display/limit-gauge.tsx";
import classes from "./request.module.css";

type LimitWindow = components["schemas"]["LimitWindow"];

const pollMs = 5_000;
const windowNames = ["minute", "hour", "day"] as const;

export const limitsKey = (keyId: number) => ["explorer-limits", keyId] as const;

/** The use of the explorer's own limits, and of the key's limits elsewhere, polled. */
export function Limits({ keyId }: { keyId: number }) {
  const { data } = useQuery({
    queryKey: limitsKey(keyId),
    queryFn: () => unwrap(api.GET("/explorer/keys/{key_id}/limits", { params: { path: { key_id: keyId } } })),
    refetchInterval: pollMs,
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

/** `windows` is undefined while loading and empty without limits. */
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
        windowNames.map((name) => (
          <LimitGauge key={name} name={name} window={windows?.find((each) => each.name === name)} />
        ))
      )}
    </>
  );
}
