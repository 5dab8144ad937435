import { ActionIcon, Group, Image, Loader, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { locale, t } from "../../../api/locale.ts";
import { useAccount } from "../../../api/session.ts";
import { useSquareCrop } from "../../../display/crop/use-square-crop.tsx";
import { DropZone } from "../files/drop-zone.tsx";
import { FileProgress } from "../files/progress.tsx";
import { Rejection } from "../files/rejection.tsx";
import { type FileKind, percentOf } from "../files/sending.ts";
import { SendingButtons } from "../files/sending-buttons.tsx";
import { sending, useSending } from "../files/use-sending.ts";
import { uploadFile, uploadQuery } from "../studio-queries.ts";
import { fieldId } from "./field-errors.ts";
import { FieldProblem } from "./field-problem.tsx";
import classes from "./file-field.module.css";

interface FileFieldProps {
  /** The field's name in the API. */
  name: string;
  label: string;
  kind: FileKind;
  accept: string;
  action: string;
  children: ReactNode;
  /** The id of the upload; null without an upload. */
  value: string | null;
  problem: string | undefined;
  onChange: (id: string | null) => void;
  /** Shown instead of a missing upload, such as the cover of an imported beat. */
  fallback?: ReactNode;
}

/** The field of a beat's file. Accepts a file, shows the progress of the upload, and removes the file. */
export function FileField({
  name,
  label,
  kind,
  accept,
  action,
  children,
  value,
  problem,
  onChange,
  fallback,
}: FileFieldProps) {
  const userId = useAccount()?.user_id;
  const files = useSending();
  const [key, setKey] = useState<string | null>(null);
  const file = files.find((file) => file.key === key || (value !== null && file.id === value));
  const upload = useQuery({ ...uploadQuery(value ?? ""), enabled: value !== null }).data?.upload;

  const arrivingId = file?.key === key ? (file?.id ?? null) : null;
  useEffect(() => {
    if (arrivingId !== null && arrivingId !== value) onChange(arrivingId);
  }, [arrivingId, value, onChange]);

  const send = (newFile: File) => {
    if (userId !== undefined) setKey(sending.add(userId, newFile, kind));
  };
  const square = useSquareCrop(t("studio.cropCoverTitle"), send);
  const choose = ([newFile]: File[]) => {
    if (newFile === undefined) return;
    if (kind === "cover") void square.choose(newFile);
    else send(newFile);
  };
  const remove = () => {
    setKey(null);
    onChange(null);
  };
  const isOnItsWay = file !== undefined && file.state !== "sent";
  const isThere = value !== null && !isOnItsWay;
  return (
    <fieldset aria-labelledby={fieldId(name)} className={classes.field}>
      <Text size="sm" fw={600} id={fieldId(name)} tabIndex={-1} mb={4}>
        {label}
      </Text>
      {isOnItsWay && (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ flex: 1, minWidth: 0 }}>
            <FileProgress file={file} />
          </div>
          <SendingButtons file={file} onCancel={remove} />
        </Group>
      )}
      {isThere && (
        <Group gap="sm" wrap="nowrap" mb="xs">
          {kind === "cover" && <CoverPicture file={file?.file} id={value} isReady={upload?.status === "ready"} />}
          <Text size="sm" truncate flex={1}>
            <bdi>{upload?.filename ?? file?.file.name ?? ""}</bdi>
          </Text>
          {upload?.status === "analysing" && <Loader size={16} role="status" aria-label={t("studio.beingChecked")} />}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("studio.removeChosenFile", { label: locale.inSentence(label) })}
            onClick={remove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      )}
      {upload !== undefined && isThere && <Rejection upload={upload} />}
      {value === null && !isOnItsWay && (
        <>
          {fallback}
          <DropZone action={action} accept={accept} isCompact onFiles={choose}>
            {children}
          </DropZone>
        </>
      )}
      {square.dialog}
      {problem !== undefined && <FieldProblem field={name} problem={problem} />}
    </fieldset>
  );
}

/** Shows the chosen picture immediately, and the re-encoded one once it is ready. */
function CoverPicture({ file, id, isReady }: { file: File | undefined; id: string; isReady: boolean }) {
  const local = useMemo(() => (file === undefined ? null : URL.createObjectURL(file)), [file]);
  useEffect(() => () => (local === null ? undefined : URL.revokeObjectURL(local)), [local]);
  const src = isReady ? uploadFile(id, "cover.jpg") : local;
  return src === null ? null : <Image src={src} alt={t("studio.coverAlt")} w={72} h={72} radius="sm" fit="cover" />;
}

/** Whether all files of a beat have arrived, and the progress in percent. */
export function useArrival(ids: readonly (string | null)[]): { isComplete: boolean; percent: number } {
  const arriving = useSending().filter(({ id, state }) => id !== null && ids.includes(id) && state !== "sent");
  const totalBytes = arriving.reduce((sum, { file }) => sum + file.size, 0);
  const sentBytes = arriving.reduce((sum, each) => sum + each.sentBytes, 0);
  return { isComplete: arriving.length === 0, percent: percentOf(sentBytes, totalBytes) };
}
