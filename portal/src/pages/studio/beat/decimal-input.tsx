import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";

interface DecimalInputProps extends Omit<NumberInputProps, "value" | "onChange" | "defaultValue"> {
  /** Null: empty. */
  value: number | null;
  onChange: (value: number | null) => void;
}

/** A field for a number with at most two decimals. Keeps what is being typed, such as "24.", until it is another number. */
export function DecimalInput({ value, onChange, ...props }: DecimalInputProps) {
  const [typed, setTyped] = useState<string | number>(value ?? "");
  return (
    <NumberInput
      decimalScale={2}
      {...props}
      value={numberOf(typed) === value ? typed : (value ?? "")}
      onChange={(its) => {
        setTyped(its);
        onChange(numberOf(its));
      }}
    />
  );
}

function numberOf(typed: string | number): number | null {
  const number = typed === "" ? Number.NaN : Number(typed);
  return Number.isFinite(number) ? number : null;
}
