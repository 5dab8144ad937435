import { ActionIcon, Badge, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { deleteUpload, type Upload, useStudioMutation } from "../studio-queries.ts";
import { AllUploads } from "./all-uploads.tsx";
import { FileProgress } from "./progress.tsx";
import { Rejection } from "./rejection.tsx";
import { bytesInWords, type SentFile } from "./sending.ts";
import { SendingButtons } from "./sending-buttons.tsx";
import { sending } from "./use-sending.ts";

const kindLabels = { audio: "studio.audio", cover: "studio.cover", stems: "studio.stems" } as const;

interface UploadListProps {
  /** The files that this document sends. */
  files: readonly SentFile[];
  /** The uploads on the server that no beat uses. */
  uploads: readonly Upload[];
  /** The time at which the server listed the uploads. */
  listedAtMs: number;
}

/** The files that no beat uses: files that are being sent, and arrived uploads. Renders nothing without any. */
export function UploadList({ files, uploads, listedAtMs }: UploadListProps) {
  const filesById = new Map(files.map((file) => [file.id, file]));
  const ids = new Set(uploads.map(({ id }) => id));
  // A file that was sent before the list was read, but is not in the list, is used by a beat.
  const onTheirWay = files.filter(
    ({ id, sentAtMs }) => (id === null || !ids.has(id)) && (sentAtMs === null || sentAtMs >= listedAtMs),
  );
  const isAudio = ({ kind }: { kind: Upload["kind"] }) => kind === "audio";
  const arriving = files.filter(
    (file) => isAudio(file) && file.state !== "failed" && (file.state !== "sent" || onTheirWay.includes(file)),
  ).length;
  const recordings = uploads.filter(
    (each) => isAudio(each) && (each.status === "ready" || each.status === "analysing"),
  );
  if (onTheirWay.length + uploads.length === 0) return null;
  return (
    <section aria-labelledby="files">
      <Title order={2} size="h4" id="files" mb="xs">
        {t("studio.filesWithoutABeat")}
      </Title>
      {recordings.length + arriving > 1 && <AllUploads uploads={recordings} arriving={arriving} />}
      <Stack gap="xs" mt="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {onTheirWay.map((file) => (
          <Row key={file.key} file={file} />
        ))}
        {uploads.map((upload) => {
          const file = filesById.get(upload.id);
          return <Row key={upload.id} upload={upload} {...(file !== undefined && { file })} />;
        })}
      </Stack>
    </section>
  );
}

/** A row of the list. Has a file, an upload, or both. */
function Row({ file, upload }: { file?: SentFile; upload?: Upload }) {
  const kind = upload?.kind ?? file?.kind ?? "audio";
  const name = upload?.filename ?? file?.file.name ?? "";
  const id = upload?.id ?? file?.id ?? null;
  const remove = useStudioMutation(async () => {
    if (file !== undefined) sending.forget(file.key);
    if (upload !== undefined) await deleteUpload(upload.id);
  });
  const isOnItsWay = file !== undefined && file.state !== "sent";
  const isBroken = upload?.status === "rejected";
  return (
    <Paper withBorder p="sm" component="li">
      <Group justify="space-between" gap="sm" wrap="wrap">
        <Group gap="xs" style={{ minWidth: 0, flex: "1 1 240px" }} wrap="nowrap">
          <Badge variant="light" color="gray" radius="sm" tt="none" miw="max-content">
            {t(kindLabels[kind])}
          </Badge>
          <Text size="sm" fw={600} truncate>
            <bdi>{name}</bdi>
          </Text>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {upload !== undefined && !isOnItsWay && <State upload={upload} />}
          {kind === "audio" && id !== null && !isBroken && (upload?.status !== "receiving" || isOnItsWay) && (
            <Button
              size="xs"
              renderRoot={(props) => <Link to="/studio/uploads/$uploadId" params={{ uploadId: id }} {...props} />}
            >
              {t("studio.makeABeat")}
            </Button>
          )}
          {isOnItsWay ? (
            <SendingButtons file={file} />
          ) : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("studio.removeUpload", { name })}
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {isOnItsWay && <FileProgress file={file} />}
      {upload?.status === "receiving" && file === undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("studio.interruptedUploadHint", {
            received: bytesInWords(upload.received),
            bytes: bytesInWords(upload.bytes),
          })}
        </Text>
      )}
      {isBroken && upload !== undefined && (
        <div style={{ marginTop: 8 }}>
          <Rejection upload={upload} />
        </div>
      )}
      {remove.error !== null && <ErrorAlert error={remove.error} />}
    </Paper>
  );
}

function State({ upload: { status, bytes } }: { upload: Upload }) {
  if (status === "analysing")
    return (
      <Group gap="xs" wrap="nowrap">
        <Loader size={14} aria-hidden />
        <Text size="xs" c="dimmed">
          {t("studio.analysing")}
        </Text>
      </Group>
    );
  const words = { receiving: t("studio.interrupted"), ready: bytesInWords(bytes), rejected: t("studio.rejected") };
  return (
    <Text size="xs" c="dimmed">
      {words[status]}
    </Text>
  );
}
