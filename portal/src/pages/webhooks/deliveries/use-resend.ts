import { api, unwrap } from "../../../api/client.ts";
import { useWebhookMutation } from "../use-webhook-mutation.ts";

/** Sends a delivery again, by its id, with the same event id. */
export const useResend = () =>
  useWebhookMutation((id: number) =>
    unwrap(api.POST("/webhooks/deliveries/{delivery_id}/resend", { params: { path: { delivery_id: id } } })),
  );
