import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answered, api } from "../../api/client.ts";

const everyMs = 500;
const maxTries = 20;

/**
 * Looks for the entry of a request id, as the explorer and error messages link to it: it is written a moment after the
 * answer. Tells `onFound`; returns what to say meanwhile, null when there is nothing to say.
 */
export function useCallOfRequest(requestId: string | undefined, onFound: (id: number) => void): string | null {
  const queryKey = ["call of request", requestId];
  const { data, isError } = useQuery({
    queryKey,
    enabled: requestId !== undefined,
    gcTime: 0,
    queryFn: async ({ client }) => {
      const { calls } = await answered(api.GET("/calls", { params: { query: { text: requestId ?? "", limit: 1 } } }));
      return { id: calls[0]?.id, tries: 1 + (client.getQueryData<{ tries: number }>(queryKey)?.tries ?? 0) };
    },
    refetchInterval: ({ state: { data } }) =>
      data?.id === undefined && (data?.tries ?? 0) < maxTries ? everyMs : false,
  });
  const id = data?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each entry found
  useEffect(() => {
    if (requestId !== undefined && id !== undefined) onFound(id);
  }, [requestId, id]);
  if (requestId === undefined || id !== undefined) return null;
  return isError || (data?.tries ?? 0) >= maxTries
    ? `There is no call ${requestId} in your log.`
    : `Looking for the call ${requestId} …`;
}
