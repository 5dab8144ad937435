import { Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconDownload, IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { usePlayer } from "../../display/player/use-player.ts";
import { bytesText } from "./bytes-text.ts";
import { Certificate } from "./certificate.tsx";
import { FileRow } from "./file-row.tsx";
import { filesQuery, type LibraryOrder, useDownload, usePlayFile } from "./library-queries.ts";

/** The files and the license of an order. The server creates them at the buyer's first request. */
export function OrderFiles({ order }: { order: LibraryOrder }) {
  const { data, error, isPending, refetch } = useQuery(filesQuery(order.id));
  const download = useDownload(order.id);
  const play = usePlayFile(order);
  const isPlaying = usePlayer(
    ({ track, isPlaying }) => track?.id === order.beat.id && track.isBought === true && isPlaying,
  );
  const bytes = data?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0;
  return (
    <Stack gap="sm" mt="md">
      {isPending && (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">{t("library.filesBeingPrepared")}</Text>
        </Group>
      )}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {download.error !== null && <ErrorAlert error={download.error} />}
      {play.error !== null && <ErrorAlert error={play.error} />}
      {data?.license.status === "refunded" && <Text size="sm">{t("library.orderRefundedInFull")}</Text>}
      {data?.license.status === "expired" && <Text size="sm">{t("library.licenseTermOver")}</Text>}
      {data?.license.status === "replaced" && <Text size="sm">{t("library.licenseReplaced")}</Text>}
      {data !== undefined && data.archive !== null && (
        <Group gap="sm">
          {data.files.some(({ kind }) => kind === "mp3") && (
            <Button
              variant="default"
              leftSection={isPlaying ? <IconPlayerPauseFilled size={14} /> : <IconPlayerPlayFilled size={14} />}
              aria-label={t(isPlaying ? "library.pauseBoughtFile" : "library.playBoughtFile", {
                title: order.beat.title,
                order: String(order.id),
              })}
              onClick={() => play.mutate()}
            >
              {t(isPlaying ? "library.pause" : "library.play")}
            </Button>
          )}
          <Button
            leftSection={<IconDownload size={14} />}
            loading={download.isPending && download.variables === "archive"}
            onClick={() => download.mutate("archive")}
          >
            {t("library.downloadAllZIP", { bytes: bytesText(bytes) })}
          </Button>
        </Group>
      )}
      {data !== undefined && data.files.length > 0 && (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {data.files.map((file) => (
            <FileRow
              key={file.kind}
              file={file}
              downloadedAt={order.downloads.find(({ kind }) => kind === file.kind)?.downloaded_at ?? null}
              isFetching={download.isPending && download.variables === file.kind}
              onDownload={() => download.mutate(file.kind)}
            />
          ))}
        </Stack>
      )}
      {data !== undefined && <Certificate license={data.license} orderId={order.id} />}
    </Stack>
  );
}
