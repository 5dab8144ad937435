import { useState } from "react";
import { t } from "../../../api/locale.ts";
import { Select } from "../../../display/select.tsx";
import { FileField } from "./file-field.tsx";

const choices = () => [
  { value: "default", label: t("studio.marketplaceTag") },
  { value: "own", label: t("studio.myOwnRecording") },
  { value: "none", label: t("studio.none") },
];

interface PreviewTagFieldProps {
  /** `default`, `none`, or the id of an upload. */
  value: string;
  problem: string | undefined;
  onChange: (tag: string) => void;
}

/** The field of the audio tag, which is mixed into the preview every 15 seconds. */
export function PreviewTagField({ value, problem, onChange }: PreviewTagFieldProps) {
  const isUpload = value.startsWith("upl_");
  const [wantsOwn, setWantsOwn] = useState(isUpload);
  const choose = (choice: string) => {
    setWantsOwn(choice === "own");
    if (choice !== "own") onChange(choice);
  };
  return (
    <div>
      <Select
        label={t("studio.tagInThePreview")}
        description={t("studio.previewTagHint")}
        data={choices()}
        value={wantsOwn ? "own" : value}
        onChange={(choice) => choose(choice ?? "default")}
      />
      {wantsOwn && (
        <div style={{ marginTop: 8 }}>
          <FileField
            name="preview_tag"
            label={t("studio.tagRecording")}
            kind="audio"
            accept=".wav,.aif,.aiff,.flac,.mp3,.ogg,audio/*"
            action={t("studio.chooseATag")}
            value={isUpload ? value : null}
            problem={problem}
            onChange={(id) => onChange(id ?? "default")}
          >
            {t("studio.tagRecordingHint")}
          </FileField>
        </div>
      )}
    </div>
  );
}
