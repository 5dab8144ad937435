import { Button, Code, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { t } from "../../api/locale.ts";
import { fileLabels } from "../../display/beats/licenses.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { RelativeTime } from "../../display/relative-time.tsx";
import { words } from "../../display/words.tsx";
import { bytesText } from "./bytes-text.ts";
import type { OrderFile } from "./library-queries.ts";

interface FileRowProps {
  file: OrderFile;
  /** The time of the first download in ISO 8601; null before it. */
  downloadedAt: string | null;
  isFetching: boolean;
  onDownload: () => void;
}

/** A file of an order: size, hash and download button. */
export function FileRow({ file, downloadedAt, isFetching, onDownload }: FileRowProps) {
  const { kind, filename, bytes, sha256 } = file;
  return (
    <Group component="li" justify="space-between" gap="xs">
      <div style={{ flex: "1 1 260px", minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {fileLabels[kind]} · {bytesText(bytes)}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          <bdi>{filename}</bdi>
        </Text>
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {words("library.sha256", { hash: <Code title={sha256}>{sha256.slice(0, 12)}…</Code> })}
          </Text>
          <CopyButton value={sha256} label={t("library.copyHashOfFile", { filename })} />
          {downloadedAt !== null && (
            <Text size="xs" c="dimmed" component="div">
              {words("library.downloaded", { downloadedAt: <RelativeTime at={downloadedAt} /> })}
            </Text>
          )}
        </Group>
      </div>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconDownload size={14} />}
        aria-label={t("library.downloadFile", { filename })}
        loading={isFetching}
        onClick={onDownload}
      >
        {t("library.downloadButton")}
      </Button>
    </Group>
  );
}
