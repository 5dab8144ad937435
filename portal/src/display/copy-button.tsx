import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyButtonProps {
  value: string;
  /** What is copied, for screen readers and the tooltip: "Copy API key". */
  label: string;
  /** A button with the label in it, where copying is the main thing to do. */
  isLarge?: boolean;
}

/** Copies a text, and says that it did. */
export function CopyButton({ value, label, isLarge = false }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  const said = copied ? "Copied" : label;
  if (isLarge)
    return (
      <Button leftSection={<Icon size={16} />} onClick={() => copy(value)} aria-live="polite">
        {said}
      </Button>
    );
  return (
    <Tooltip label={said} withArrow>
      <ActionIcon
        variant="subtle"
        color={copied ? "teal" : "gray"}
        size="sm"
        aria-label={said}
        onClick={() => copy(value)}
      >
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
