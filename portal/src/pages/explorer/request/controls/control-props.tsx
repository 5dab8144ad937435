import type { Field } from "../../call/operations.ts";
import { TextWithCode } from "../../text-with-code.tsx";

export interface ControlProps {
  field: Field;
  /** As it goes over the wire; empty: not sent. */
  value: string;
  onChange: (value: string) => void;
}

/** What every control shows of a field. */
export function commonProps({ name, isRequired, description, isNullable, defaultValue, example }: Field) {
  const help = isNullable ? `${description} \`null\` clears it.` : description;
  return {
    label: name,
    required: isRequired,
    description: help === "" ? undefined : <TextWithCode text={help} />,
    placeholder: defaultValue ?? (example === undefined ? undefined : `for example ${example}`),
    inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[],
  };
}
