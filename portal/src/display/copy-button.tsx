import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { t } from "../api/locale.ts";

interface CopyButtonProps {
  value: string;
  /** The accessible name and tooltip, such as "Copy API key". */
  label: string;
}

/** Copies `value` to the clipboard and confirms it for two seconds. */
export function CopyButton({ value, label }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  const text = copied ? t("ui.copied") : label;
  return (
    <ActionIcon
      variant="subtle"
      color={copied ? "teal" : "gray"}
      size="sm"
      aria-label={text}
      title={text}
      onClick={() => copy(value)}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
