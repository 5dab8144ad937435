import { TextInput, type TextInputProps } from "@mantine/core";

interface DateTimeInputProps
  extends Pick<TextInputProps, "size" | "required" | "description" | "inputWrapperOrder" | "onBlur"> {
  label: string;
  /** The time in ISO 8601. The input is empty for undefined and for an invalid text. */
  value: string | undefined;
  /** Receives undefined while the input is empty or incomplete. */
  onChange: (value: string | undefined) => void;
  hasSeconds?: boolean;
}

/** A date and time in the browser's time zone. */
export const DateTimeInput = ({ value, onChange, hasSeconds = false, ...props }: DateTimeInputProps) => (
  <TextInput
    {...props}
    type="datetime-local"
    step={hasSeconds ? 1 : 60}
    value={toLocal(value).slice(0, hasSeconds ? 19 : 16)}
    onChange={({ currentTarget }) => onChange(fromLocal(currentTarget.value))}
  />
);

/** The value of a datetime-local input: local time without a zone. */
function toLocal(iso: string | undefined): string {
  const date = new Date(iso ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function fromLocal(text: string): string | undefined {
  const date = new Date(text === "" ? Number.NaN : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
