import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { webhooksKey } from "../../api/webhooks.ts";

/** A mutation of endpoints or deliveries. Invalidates every webhook query after `onDone`. */
export function useWebhookMutation<Variables, Data>(
  mutationFn: (variables: Variables) => Promise<Data>,
  onDone?: (data: Data, variables: Variables) => unknown,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async (data, variables) => {
      await onDone?.(data, variables);
      await client.invalidateQueries({ queryKey: webhooksKey });
    },
  });
}

/** Sends a delivery again, by its id, with the same event id. */
export const useResend = () =>
  useWebhookMutation((id: number) =>
    unwrap(api.POST("/webhooks/deliveries/{delivery_id}/resend", { params: { path: { delivery_id: id } } })),
  );
