import { Button, Group, Loader, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "../../api/locale.ts";
import { useUnsavedWork } from "../../api/unsaved-work.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { words } from "../../display/words.tsx";
import { BeatForm } from "./beat/beat-form.tsx";
import { fieldsOf, valuesOfUpload } from "./beat/beat-values.ts";
import { Facts } from "./beat/facts.tsx";
import { fieldError } from "./beat/field-errors.ts";
import { useArrival } from "./beat/file-field.tsx";
import { FormBar } from "./beat/form-bar.tsx";
import { useBeatForm } from "./beat/use-beat-form.ts";
import { FileProgress } from "./files/progress.tsx";
import { Rejection } from "./files/rejection.tsx";
import { SendingButtons } from "./files/sending-buttons.tsx";
import { useSending } from "./files/use-sending.ts";
import { RecordingPlayer } from "./recording-player.tsx";
import {
  createBeat,
  type Options,
  optionsQuery,
  type Upload,
  uploadFile,
  uploadQuery,
  useStudioMutation,
} from "./studio-queries.ts";

const route = getRouteApi("/frame/signed-in/studio/uploads/$uploadId");

/** The form that creates a beat from an upload. It can be filled in while the file is being sent. */
export function NewBeatPage() {
  const { uploadId } = route.useParams();
  const upload = useQuery(uploadQuery(uploadId));
  const options = useQuery(optionsQuery);
  const error = upload.error ?? options.error;
  return (
    <Page
      title={t("studio.newBeat")}
      lead={upload.data === undefined ? undefined : <bdi>{upload.data.upload.filename}</bdi>}
    >
      {error !== null && <ErrorAlert error={error} onRetry={() => void upload.refetch()} />}
      {error === null && (upload.data === undefined || options.data === undefined) && (
        <RowsSkeleton rows={6} height={64} />
      )}
      {upload.data !== undefined && options.data !== undefined && (
        <NewBeat key={uploadId} upload={upload.data.upload} options={options.data} />
      )}
    </Page>
  );
}

function NewBeat({ upload, options }: { upload: Upload; options: Options }) {
  const navigate = useNavigate();
  const [initial] = useState(() => valuesOfUpload(upload, options.draft_defaults));
  const form = useBeatForm(initial);
  const { values } = form;
  useUnsavedWork(JSON.stringify(values) !== JSON.stringify(initial));
  const file = useSending().find(({ id }) => id === upload.id);
  const isOnItsWay = file !== undefined && file.state !== "sent";
  const arrival = useArrival([upload.id, values.cover, values.stems, values.previewTag]);
  const create = useStudioMutation(
    (status: "draft" | "published") => createBeat(fieldsOf(values, status)),
    ({ beat }) =>
      navigate({ to: "/studio/beats/$beatId", params: { beatId: beat.id }, replace: true, ignoreBlocker: true }),
  );
  const save = (status: "draft" | "published") => {
    if (form.isValid()) create.mutate(status, { onError: form.refuse });
  };
  const isArrived = upload.status !== "receiving" && arrival.isComplete;
  const isUsable = isArrived && upload.status !== "rejected";
  return (
    <>
      {isOnItsWay && (
        <Paper withBorder p="md">
          <Group gap="sm" wrap="nowrap">
            <div style={{ flex: 1, minWidth: 0 }}>
              <FileProgress file={file} />
            </div>
            <SendingButtons file={file} onCancel={() => void navigate({ to: "/studio" })} />
          </Group>
        </Paper>
      )}
      {!isOnItsWay && upload.status === "analysing" && <Analysing name={upload.filename} />}
      <Rejection upload={upload} />
      {upload.status === "ready" && upload.analysis !== null && (
        <>
          <RecordingPlayer
            label={t("studio.yourRecording")}
            audioUrl={uploadFile(upload.id, "audio")}
            waveformUrl={uploadFile(upload.id, "waveform.json")}
            duration={upload.analysis.duration}
          />
          <Facts analysis={upload.analysis} />
        </>
      )}
      <BeatForm
        values={values}
        options={options}
        analysis={upload.analysis}
        said={upload.said}
        isAnalysing={upload.status === "receiving" || upload.status === "analysing"}
        problems={form.problems}
        isSchedulable
        onChange={form.change}
      />
      {create.error !== null && fieldError(create.error) === null && <ErrorAlert error={create.error} />}
      <FormBar hint={hintOf(upload, isArrived, arrival.percent)}>
        <Button
          variant="default"
          disabled={!isUsable}
          loading={create.isPending && create.variables === "draft"}
          onClick={() => save("draft")}
        >
          {values.publishAt === null ? t("studio.saveDraft") : t("studio.savePublishThen")}
        </Button>
        <Button
          disabled={!isUsable}
          loading={create.isPending && create.variables === "published"}
          onClick={() => save("published")}
        >
          {values.publishAt === null ? t("studio.publish") : t("studio.publishNow")}
        </Button>
      </FormBar>
    </>
  );
}

/** The notice that the server analyses the file. This takes a few seconds, or longer if other files are queued. */
const Analysing = ({ name }: { name: string }) => (
  <Paper withBorder p="md">
    <Group gap="sm" wrap="nowrap" role="status">
      <Loader size="sm" type="bars" aria-hidden />
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {words("studio.listeningToRecording", { name: <bdi>{name}</bdi> })}
      </Text>
    </Group>
  </Paper>
);

function hintOf({ status }: Upload, isArrived: boolean, percent: number): string | null {
  if (status === "rejected") return t("studio.rejectedFileHint");
  if (!isArrived)
    return percent === 100 ? t("studio.theFileIsNotComplete") : t("studio.uploadedThenYouCanSave", { percent });
  return status === "analysing" ? t("studio.onSaleOnceAnalysed") : null;
}
