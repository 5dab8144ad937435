import { Drawer, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { callQuery } from "../../api/calls.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { RowsSkeleton } from "../../display/page.tsx";
import { CallView } from "./call-view.tsx";

/** Deliveries in these states still change, so an entry that has one is polled. */
const unfinishedStates = new Set(["pending", "sending"]);
const pollMs = 2_000;

/** The open entry: beside the list, or in its place on a small screen. */
export function CallDrawer({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const call = useQuery({
    ...callQuery(id ?? 0),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ deliveries }) => deliveries.some((delivery) => unfinishedStates.has(delivery.state)))
        ? pollMs
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
        <ErrorAlert error={call.error} onRetry={() => call.refetch()} />
      ) : call.data === undefined ? (
        <RowsSkeleton rows={8} />
      ) : (
        <CallView call={call.data} />
      )}
    </Drawer>
  );
}
