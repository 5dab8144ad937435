import type { Field } from "../../call/operations.ts";
import { TextWithCode } from "../../text-with-code.tsx";

export interface ControlProps {
  field: Field;
  /** The text that is sent. An empty text is not sent. */
  value: string;
  onChange: (value: string) => void;
}

/** The parts of a field that every control shows. */
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
