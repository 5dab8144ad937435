import { Alert, Button, Image, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "../../../api/client.ts";
import { loadChunk } from "../../../api/load-chunk.ts";
import { t } from "../../../api/locale.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Rejection } from "../files/rejection.tsx";
import { type BeatChanges, changeBeat, type Options, type OwnBeat, useStudioMutation } from "../studio-queries.ts";
import classes from "./beat-editor.module.css";
import { BeatForm } from "./beat-form.tsx";
import { BeatMedia } from "./beat-media.tsx";
import { type BeatValues, changesOf, valuesOfBeat } from "./beat-values.ts";
import { Facts } from "./facts.tsx";
import { fieldError } from "./field-errors.ts";
import { useArrival } from "./file-field.tsx";
import { FormBar } from "./form-bar.tsx";
import { ReportNotices } from "./report-notices.tsx";
import { StatusNote } from "./status-note.tsx";
import { useBase } from "./use-base.ts";
import { useBeatForm } from "./use-beat-form.ts";
import { WithdrawButton } from "./withdraw-button.tsx";

const OnSale = lazy(() => loadChunk(() => import("./on-sale.tsx")).then((module) => ({ default: module.OnSale })));

interface BeatEditorProps {
  /** The server's current state of the beat. Polled while the server processes the files. */
  live: OwnBeat;
  options: Options;
  reload: () => Promise<OwnBeat | undefined>;
}

/** The form of an existing beat, with the actions that the status allows. */
export function BeatEditor({ live, options, reload }: BeatEditorProps) {
  const navigate = useNavigate();
  const rule = options.price_rule;
  const form = useBeatForm(valuesOfBeat(live, rule));
  const { values } = form;
  const [base, setBase] = useBase(live, (processed) => {
    if (!isEdited) form.reset(valuesOfBeat(processed, rule));
  });
  const edits = changesOf(valuesOfBeat(base, rule), values, rule);
  const isEdited = Object.keys(edits).length > 0;
  const start = (from: OwnBeat) => {
    setBase(from);
    form.reset(valuesOfBeat(from, rule));
  };
  const [savedMessage, setSavedMessage] = useState<string | null>(null);
  const save = useStudioMutation((body: BeatChanges) => changeBeat(base.beat.id, base.edit_version, body), start);
  const send = (body: BeatChanges, successMessage: string) => {
    setSavedMessage(null);
    if (form.isValid()) save.mutate(body, { onError: form.refuse, onSuccess: () => setSavedMessage(successMessage) });
  };
  const change = (values: Partial<BeatValues>) => {
    setSavedMessage(null);
    form.change(values);
  };
  const startOver = async () => {
    const current = await reload();
    if (current === undefined) return;
    save.reset();
    start(current);
  };

  const { status = "withdrawn" } = live.beat;
  const isFrozen = live.locked !== null;
  useUnsavedWork(isEdited && !isFrozen);
  const { audio } = live.uploads;
  const analysis = (audio?.id === values.audio ? audio?.analysis : null) ?? live.beat.analysis ?? null;
  // A beat that is or was on sale keeps the measured tempo. Publishing measures that of a draft or a new recording.
  const isAnalysed = live.beat.bpm_source === "analysis" && values.audio === base.uploads.audio?.id;
  const publishedTempo = isAnalysed && (status === "published" || status === "withdrawn") ? live.tempo : null;
  const arrival = useArrival([values.cover, values.stems, values.previewTag]);
  const isOutdated = save.error instanceof ApiError && save.error.status === 412;
  const isSending = save.isPending;
  const isScheduled = values.publishAt !== null;
  const draftLabels = {
    save: isScheduled ? t("studio.savePublishThen") : t("studio.saveDraft"),
    publish: isScheduled ? t("studio.publishNow") : t("studio.publish"),
  };
  return (
    <>
      <StatusNote
        live={live}
        isPending={isSending}
        onRetry={() => send(publishNow(edits), t("studio.publishingAgain"))}
      />
      {status === "published" && (
        <Suspense>
          <OnSale beat={live.beat} />
        </Suspense>
      )}
      <ReportNotices live={live} />
      {Object.values(live.uploads).map((upload) => upload !== null && <Rejection key={upload.id} upload={upload} />)}
      <BeatMedia beat={live} />
      {analysis !== null && <Facts analysis={analysis} />}
      <fieldset disabled={isFrozen} className={classes.fields}>
        <BeatForm
          values={values}
          options={options}
          analysis={analysis}
          said={audio?.said ?? null}
          isAnalysing={audio?.status === "analysing"}
          publishedTempo={publishedTempo}
          problems={form.problems}
          coverFallback={
            <Image
              src={ownOrigin(live.beat.cover_image)}
              alt={t("studio.currentCoverAlt")}
              w={72}
              h={72}
              radius="sm"
              mb="xs"
            />
          }
          isSchedulable={(status === "draft" || status === "withdrawn") && live.takedown === null}
          onChange={change}
        />
      </fieldset>
      {isOutdated && <Outdated onReload={startOver} />}
      {save.error !== null && !isOutdated && fieldError(save.error) === null && <ErrorAlert error={save.error} />}
      {!isFrozen && (
        <FormBar
          hint={
            arrival.isComplete
              ? (savedMessage ?? (isEdited ? t("studio.notSavedYet") : null))
              : t("studio.uploadedThenYouCanSave", { percent: arrival.percent })
          }
        >
          <WithdrawButton
            live={live}
            editVersion={base.edit_version}
            onDone={() => void navigate({ to: "/studio", ignoreBlocker: true })}
          />
          {status === "processing" && live.beat.rejection === null && base.uploads.audio !== null && (
            <Button
              variant="default"
              disabled={isSending}
              onClick={() => send({ status: "draft" }, t("studio.itIsADraftAgain"))}
            >
              {t("studio.stopPublishing")}
            </Button>
          )}
          <Button
            variant={status === "published" ? "filled" : "default"}
            disabled={!isEdited || !arrival.isComplete}
            loading={isSending}
            onClick={() => send(edits, t("ui.saved"))}
          >
            {status === "draft" ? draftLabels.save : t("studio.saveChanges")}
          </Button>
          {(status === "draft" || status === "withdrawn") && live.takedown === null && (
            <Button
              disabled={!arrival.isComplete}
              loading={isSending}
              onClick={() => send(publishNow(edits), t("studio.publishing"))}
            >
              {status === "draft" ? draftLabels.publish : t("studio.putOnSaleAgain")}
            </Button>
          )}
        </FormBar>
      )}
    </>
  );
}

/** The changes that publish immediately. They omit the publication time, which the server then clears. */
const publishNow = ({ publish_at: _, ...edits }: BeatChanges): BeatChanges => ({ ...edits, status: "published" });

/** The notice that the beat was changed elsewhere: in another tab, by the API, or by a colleague. */
const Outdated = ({ onReload }: { onReload: () => Promise<void> }) => (
  <Alert
    color="orange"
    variant="light"
    icon={<IconAlertTriangle />}
    title={t("studio.thisBeatWasChangedElsewhere")}
    role="alert"
  >
    <Text size="sm">{t("studio.changedElsewhereAdvice")}</Text>
    <Button size="xs" variant="default" mt="xs" onClick={() => void onReload()}>
      {t("studio.reloadAndDropEdits")}
    </Button>
  </Alert>
);
