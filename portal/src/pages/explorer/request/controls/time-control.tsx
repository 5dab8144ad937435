import { DateTimeInput } from "../../../../display/date-time-input.tsx";
import { type ControlProps, commonProps } from "./control-props.tsx";

/** A time, in the browser's time zone; sent as UTC. */
export function TimeControl({
  field,
  value,
  onChange,
  onBlur,
}: ControlProps & { onBlur?: ((value: string) => void) | undefined }) {
  const { label, required, description, inputWrapperOrder } = commonProps(field);
  return (
    <DateTimeInput
      label={label}
      required={required}
      description={description}
      inputWrapperOrder={inputWrapperOrder}
      value={value}
      onChange={(time) => onChange(time ?? "")}
      onBlur={onBlur === undefined ? undefined : () => onBlur(value)}
    />
  );
}
