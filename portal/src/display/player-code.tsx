import { Group, Textarea } from "@mantine/core";
import { t } from "../api/locale.ts";
import { CopyButton } from "./copy-button.tsx";

/** The HTML that shows the player of a public page on another site, with a copy button. */
export function PlayerCode({ path, title }: { path: string; title: string }) {
  const escapedTitle = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const frame = `<iframe src="${location.origin}/embed${path}?size=medium" width="480" height="280" title="${escapedTitle}" loading="lazy" style="border:0"></iframe>`;
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Textarea
        label={t("face.playerForYourOwnSite")}
        value={frame}
        readOnly
        autosize
        maxRows={4}
        style={{ flex: 1 }}
      />
      <CopyButton value={frame} label={t("face.copyPlayerCode")} />
    </Group>
  );
}
