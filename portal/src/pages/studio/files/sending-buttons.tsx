import { ActionIcon, Group } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { t } from "../../../api/locale.ts";
import type { SentFile } from "./sending.ts";
import { sending } from "./use-sending.ts";

/** Buttons that pause, resume and cancel sending a file. Renders nothing for a sent file. */
export function SendingButtons({ file, onCancel }: { file: SentFile; onCancel?: () => void }) {
  const { key, state } = file;
  const { name } = file.file;
  if (state === "sent") return null;
  const cancel = () => {
    void sending.cancel(key);
    onCancel?.();
  };
  return (
    <Group gap={4} wrap="nowrap">
      {state === "sending" || state === "queued" ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("studio.pauseUpload", { name })}
          onClick={() => sending.pause(key)}
        >
          <IconPlayerPause size={16} />
        </ActionIcon>
      ) : (
        <ActionIcon
          variant="subtle"
          aria-label={t("studio.resumeUpload", { name })}
          onClick={() => sending.resume(key)}
        >
          <IconPlayerPlay size={16} />
        </ActionIcon>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={t("studio.cancelUpload", { name })} onClick={cancel}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}
