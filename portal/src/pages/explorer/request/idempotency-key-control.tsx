import { ActionIcon, TextInput } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type ControlProps, commonProps } from "./controls/control-props.tsx";

/**
 * The Idempotency-Key, which prevents a repeated call from taking effect twice: filled in, with a button for a new one.
 */
export function IdempotencyKeyControl({ field, value, onChange }: ControlProps) {
  return (
    <TextInput
      {...commonProps(field)}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="New Idempotency-Key"
          title="New key: send it as another call"
          onClick={() => onChange(crypto.randomUUID())}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      }
    />
  );
}
