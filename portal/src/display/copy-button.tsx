import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyButtonProps {
  value: string;
  /** The accessible name and tooltip, such as "Copy API key". */
  label: string;
  /** Shows the label in a full button instead of an icon. */
  isLarge?: boolean;
  /** Takes the focus when it appears. */
  takesFocus?: boolean;
}

/** Copies `value` to the clipboard and confirms it for two seconds. */
export function CopyButton({ value, label, isLarge = false, takesFocus = false }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  const text = copied ? "Copied" : label;
  if (isLarge)
    return (
      <Button leftSection={<Icon size={16} />} onClick={() => copy(value)} aria-live="polite" autoFocus={takesFocus}>
        {text}
      </Button>
    );
  return (
    <Tooltip label={text} withArrow>
      <ActionIcon
        variant="subtle"
        color={copied ? "teal" : "gray"}
        size="sm"
        aria-label={text}
        onClick={() => copy(value)}
      >
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
