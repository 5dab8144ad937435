import { Code, Group } from "@mantine/core";
import { t } from "../api/locale.ts";
import { CopyButton } from "./copy-button.tsx";

/** An id in monospace with a copy button. */
export function Identifier({ value }: { value: string | number }) {
  return (
    <Group component="span" gap={2} wrap="nowrap" display="inline-flex" maw="100%">
      <Code style={{ overflowWrap: "anywhere" }}>{value}</Code>
      <CopyButton value={String(value)} label={t("ui.copyId")} />
    </Group>
  );
}
