import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, unwrap } from "../../../api/client.ts";

const pollMs = 500;
const maxTries = 20;

/**
 * Polls for the log entry of a request id, which is written shortly after the response. Calls `onFound` with the
 * entry's id. Returns a message about the progress or the failure; null without a request id and after success.
 */
export function useCallByRequestId(requestId: string | undefined, onFound: (id: number) => void): string | null {
  const queryKey = ["call-by-request-id", requestId];
  const { data, isError } = useQuery({
    queryKey,
    enabled: requestId !== undefined,
    gcTime: 0,
    queryFn: async ({ client }) => {
      const { calls } = await unwrap(api.GET("/calls", { params: { query: { text: requestId ?? "", limit: 1 } } }));
      return { id: calls[0]?.id, tries: 1 + (client.getQueryData<{ tries: number }>(queryKey)?.tries ?? 0) };
    },
    refetchInterval: ({ state: { data } }) =>
      data?.id === undefined && (data?.tries ?? 0) < maxTries ? pollMs : false,
  });
  const id = data?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: onFound runs once per entry
  useEffect(() => {
    if (requestId !== undefined && id !== undefined) onFound(id);
  }, [requestId, id]);
  if (requestId === undefined || id !== undefined) return null;
  return isError || (data?.tries ?? 0) >= maxTries
    ? `There is no call ${requestId} in your log.`
    : `Looking for the call ${requestId} …`;
}
