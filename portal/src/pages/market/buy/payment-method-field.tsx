import { TextInput } from "@mantine/core";
import type { MarketOptions } from "../../../api/market.ts";
import { Select } from "../../../display/select.tsx";

interface PaymentMethodFieldProps {
  options: MarketOptions;
  /** The id of a payment method. */
  value: string;
  onChange: (method: string) => void;
}

/** How to pay: one of the sandbox's methods, or the id of one's own at Stripe. */
export function PaymentMethodField({ options, value, onChange }: PaymentMethodFieldProps) {
  if (options.provider === "stripe")
    return (
      <TextInput
        label="Payment method"
        description="The id that Stripe gave your payment method, such as pm_1N…. Never a card number."
        placeholder="pm_…"
        value={value}
        maxLength={255}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const methods = new Map(options.payment_methods.map(({ id, does }) => [id, does]));
  return (
    <Select
      label="Payment method"
      description={`No money moves: this is the sandbox. ${methods.get(value) ?? ""}`}
      data={[...methods.keys()]}
      value={value}
      onChange={(method) => onChange(method ?? value)}
    />
  );
}
