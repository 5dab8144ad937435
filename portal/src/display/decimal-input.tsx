import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";

interface DecimalInputProps extends Omit<TextInputProps, "value" | "onChange" | "defaultValue" | "type"> {
  /** The number; null if the field is empty. */
  value: number | null;
  onChange: (value: number | null) => void;
  min: number;
  max: number;
  /** Whether the field shows both decimals when it loses the focus, as for an amount of money. */
  isMoney?: boolean;
}

/** Digits, and at most two decimals after a point or a comma. */
const decimal = /^\d*([.,]\d{0,2})?$/;
/** A number whose commas separate thousands, because three digits follow each. */
const groupedNumber = /^\d{1,3}(,\d{3})+(\.\d{0,2})?$/;

/**
 * A field for a number with at most two decimals. Keeps the typed text, such as "24.", until the field loses the focus
 * or `value` becomes another number. When the field loses the focus, the number is limited to `min` to `max`.
 */
export function DecimalInput({ value, onChange, min, max, isMoney = false, onBlur, ...props }: DecimalInputProps) {
  const [typedText, setTypedText] = useState("");
  const [isTyping, setTyping] = useState(false);
  const valueText = value === null ? "" : textOf(value, isMoney);
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      value={isTyping && numberOf(typedText) === value ? typedText : valueText}
      onChange={({ currentTarget: { value: text } }) => {
        if (!decimal.test(text) && !groupedNumber.test(text)) return;
        setTypedText(text);
        setTyping(true);
        onChange(numberOf(text));
      }}
      onBlur={(event) => {
        setTyping(false);
        if (value !== null && (value < min || value > max)) onChange(Math.min(Math.max(value, min), max));
        onBlur?.(event);
      }}
    />
  );
}

const textOf = (value: number, isMoney: boolean): string => (isMoney ? value.toFixed(2) : String(value));

function numberOf(typedText: string): number | null {
  if (groupedNumber.test(typedText)) return Number(typedText.replaceAll(",", ""));
  return /\d/.test(typedText) ? Number(typedText.replace(",", ".")) : null;
}
