import { Drawer, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { ProblemAlert } from "../../display/problem-alert.tsx";
import { CallView } from "./call-view.tsx";

/** While deliveries are on their way, their states change. */
const unsettled = new Set(["pending", "sending"]);
const unsettledEveryMs = 2_000;

/** The open entry, beside the list; on a small screen in its place. */
export function CallDrawer({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const call = useQuery({
    queryKey: ["call", id],
    queryFn: () => answered(api.GET("/calls/{call_id}", { params: { path: { call_id: id ?? 0 } } })),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ deliveries }) => deliveries.some((delivery) => unsettled.has(delivery.state)))
        ? unsettledEveryMs
        : false,
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size={640}
      title={
        <Group gap={4} fw={650}>
          Call
          <CopyButton value={window.location.href} label="Copy link to this call" />
        </Group>
      }
      closeButtonProps={{ "aria-label": "Close the call" }}
    >
      {call.isError ? (
        <ProblemAlert error={call.error} onRetry={() => call.refetch()} />
      ) : call.data === undefined ? (
        <RowsSkeleton rows={8} />
      ) : (
        <CallView call={call.data} />
      )}
    </Drawer>
  );
}
