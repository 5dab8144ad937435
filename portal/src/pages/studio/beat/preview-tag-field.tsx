import { useState } from "react";
import { Select } from "../../../display/select.tsx";
import { FileField } from "./file-field.tsx";

const choices = [
  { value: "default", label: "The marketplace's" },
  { value: "own", label: "My own recording" },
  { value: "none", label: "None" },
];

interface PreviewTagFieldProps {
  /** `default`, `none`, or the id of an upload. */
  value: string;
  problem: string | undefined;
  onChange: (tag: string) => void;
}

/** What is mixed into the preview every 15 seconds. */
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
        label="Tag in the preview"
        description="Mixed in every 15 seconds, so that the preview sells the beat and does not replace it."
        data={choices}
        value={wantsOwn ? "own" : value}
        onChange={(choice) => choose(choice ?? "default")}
      />
      {wantsOwn && (
        <div style={{ marginTop: 8 }}>
          <FileField
            name="preview_tag"
            label="Tag recording"
            kind="audio"
            accept=".wav,.aif,.aiff,.flac,.mp3,.ogg,audio/*"
            action="Choose a tag"
            value={isUpload ? value : null}
            problem={problem}
            onChange={(id) => onChange(id ?? "default")}
          >
            A short recording, such as your name. Until there is one, the marketplace’s is used.
          </FileField>
        </div>
      )}
    </div>
  );
}
