import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { RefundRequests } from "../../../display/contact/refund-requests.tsx";
import { maxTextLength } from "../../../display/contact/thread.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { Section } from "../../../display/section.tsx";
import { GuardedForm } from "../../../display/unsaved-work.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Order = components["schemas"]["AdminOrderDetail"];

/** The buyer's request for a refund, and the decision. Renders nothing without a request. */
export function RefundDecision({ order }: { order: Order }) {
  const [dialog, setDialog] = useState<"grant" | "refuse" | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "refund-requests", order.id],
    queryFn: () => unwrap(api.GET("/admin/refund-requests", { params: { query: { order: order.id } } })),
  });
  const close = () => setDialog(null);
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.requests.length === 0) return null;
  return (
    <Section title="The buyer asks for a refund">
      <RefundRequests requests={data.requests} />
      {data.requests[0]?.state === "open" && (
        <Group mt="sm">
          <Button color="red" onClick={() => setDialog("grant")}>
            Grant
          </Button>
          <Button variant="default" onClick={() => setDialog("refuse")}>
            Refuse
          </Button>
        </Group>
      )}
      <GuardedModal
        opened={dialog !== null}
        onClose={close}
        title={dialog === "grant" ? "Grant the refund" : "Refuse the refund"}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {dialog === "grant" ? <Grant order={order} onDone={close} /> : <Refuse orderId={order.id} onDone={close} />}
      </GuardedModal>
    </Section>
  );
}

function Grant({ order, onDone }: { order: Order; onDone: () => void }) {
  const params = { path: { order_id: order.id } };
  const grant = useAdminMutation(
    () => unwrap(api.POST("/admin/orders/{order_id}/refund-request/grant", { params })),
    onDone,
  );
  return (
    <Stack>
      {grant.error !== null && <ErrorAlert error={grant.error} />}
      <Text size="sm">
        All that is left, {moneyText(order.refundable_amount, order.currency)}, goes back to the buyer. The license and
        the downloads end. This cannot be undone.
      </Text>
      <Group justify="flex-end">
        <CloseDialogButton>Cancel</CloseDialogButton>
        <Button color="red" loading={grant.isPending} onClick={() => grant.mutate(undefined)}>
          Refund {moneyText(order.refundable_amount, order.currency)}
        </Button>
      </Group>
    </Stack>
  );
}

function Refuse({ orderId, onDone }: { orderId: number; onDone: () => void }) {
  const [response, setResponse] = useState("");
  const params = { path: { order_id: orderId } };
  const refuse = useAdminMutation(
    () => unwrap(api.POST("/admin/orders/{order_id}/refund-request/refuse", { params, body: { response } })),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    refuse.mutate(undefined);
  };
  return (
    <GuardedForm onSubmit={submit} error={refuse.error}>
      <Stack>
        {refuse.error !== null && <ErrorAlert error={refuse.error} />}
        <Textarea
          label="Why not"
          description="The buyer gets it by mail."
          value={response}
          onChange={(event) => setResponse(event.currentTarget.value)}
          maxLength={maxTextLength}
          minRows={3}
          autosize
          required
          data-autofocus
        />
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" loading={refuse.isPending} disabled={response.trim() === ""}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </GuardedForm>
  );
}
