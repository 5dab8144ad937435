import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../../api/client.ts";
import type { components } from "../../../api/paths.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { CloseDialogButton, GuardedModal } from "../../../display/guarded-modal.tsx";
import { ReasonField } from "../reason-dialog.tsx";
import { useAdminMutation } from "../use-admin-mutation.ts";

type Order = components["schemas"]["AdminOrderDetail"];

/**
 * Refunds an order after the operator has entered and confirmed the amount. Renders nothing if nothing can be refunded.
 */
export function RefundButton({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const isFree = order.amount === 0 && order.status === "completed" && !order.is_refunded;
  if (order.refundable_amount === 0 && !isFree) return null;
  return (
    <>
      <Button variant="light" color="red" onClick={() => setOpen(true)}>
        Refund
      </Button>
      <GuardedModal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Refund order ${order.id}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RefundForm order={order} onDone={() => setOpen(false)} />
      </GuardedModal>
    </>
  );
}

function RefundForm({ order, onDone }: { order: Order; onDone: () => void }) {
  const [isPart, setPart] = useState(false);
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  // One key per opened dialog: a repeated request after a lost response has the same key and refunds only once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const refundableText = moneyText(order.refundable_amount, order.currency);
  const refundAmount = isPart ? Number(amount) : order.refundable_amount;
  const refund = useAdminMutation(
    () =>
      unwrap(
        api.POST("/admin/orders/{order_id}/refunds", {
          params: { path: { order_id: order.id } },
          body: { amount: isPart ? refundAmount : null, reason },
          headers: { "idempotency-key": `${idempotencyKey}-${isPart ? refundAmount : "rest"}` },
        }),
      ),
    onDone,
  );
  // The first step sends nothing, so its input is still unsaved in the second step.
  useUnsavedWork((isPart || reason !== "") && !refund.isPending && !refund.isSuccess);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirming) refund.mutate(undefined);
    else setConfirming(true);
  };
  const isValid =
    reason.trim() !== "" && (!isPart || (refundAmount >= 0.01 && refundAmount <= order.refundable_amount));
  return (
    <form onSubmit={submit}>
      <Stack>
        {refund.error !== null && <ErrorAlert error={refund.error} />}
        <Radio.Group
          label="How much"
          value={isPart ? "part" : "rest"}
          onChange={(value) => {
            setPart(value === "part");
            setConfirming(false);
          }}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="rest" label={`All that is left: ${refundableText}. Its license and downloads end.`} />
            <Radio value="part" label="A part. The license stays." disabled={order.amount === 0} />
          </Stack>
        </Radio.Group>
        {isPart && (
          <DecimalInput
            label={`Amount in ${order.currency}`}
            value={amount}
            onChange={(value) => {
              setAmount(value);
              setConfirming(false);
            }}
            min={0.01}
            max={order.refundable_amount}
            isMoney
            required
            data-autofocus
          />
        )}
        <ReasonField help="The buyer reads it, in the security log." value={reason} onChange={setReason} />
        {isConfirming && (
          <Text size="sm" role="alert">
            {moneyText(refundAmount, order.currency)} goes back to{" "}
            {order.buyer.email ?? order.buyer.organisation ?? `user ${order.buyer.user_id}`}. This cannot be undone.
          </Text>
        )}
        <Group justify="flex-end">
          <CloseDialogButton>Cancel</CloseDialogButton>
          <Button type="submit" color="red" loading={refund.isPending} disabled={!isValid}>
            {isConfirming ? `Refund ${moneyText(refundAmount, order.currency)}` : "Continue"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
