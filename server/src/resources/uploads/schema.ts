import { afterParameter, consoleMetaWith, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type TSchema } from "typebox";
import { uploadIdPattern, uploadKinds, uploadStatuses } from "./upload.ts";

const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, whole seconds." });
const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });
const confidence = (value: string) =>
  orNull(Type.Number({ minimum: 0, maximum: 1 }), `How sure ${value} is, from 0 to 1.`);

export const UploadId = Type.Object({
  upload_id: Type.String({
    pattern: uploadIdPattern,
    description: "Identifier of the upload, such as `upl_` and 22 letters and digits.",
  }),
});

export const UploadsQuery = Type.Object({ ...pageParameters(20, 100), ...afterParameter });

/** The analysis of a recording. A beat with this recording shows it too. */
export const AnalysisSchema = Type.Object(
  {
    bpm: orNull(Type.Number({ exclusiveMinimum: 0 }), "Beats per minute; null if the recording has none."),
    bpm_confidence: confidence("the tempo"),
    bpm_alternative: orNull(Type.Number({ exclusiveMinimum: 0 }), "The next best tempo, often twice or half of it."),
    key: orNull(Type.String(), "The musical key, such as `C# minor`; null if the recording has none."),
    key_confidence: confidence("the key"),
    key_alternative: orNull(Type.String(), "The next best key."),
    duration: Type.Integer({ minimum: 0, description: "In seconds." }),
    format: Type.String({
      description:
        "The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy: licenses of such a recording bring no WAV.",
    }),
    sample_rate: Type.Integer({ minimum: 1, description: "In Hz." }),
    channels: Type.Integer({ minimum: 1 }),
    loudness_lufs: orNull(Type.Number(), "Integrated loudness by EBU R128; null for silence."),
    true_peak_dbtp: orNull(Type.Number(), "The true peak in dBTP; null for silence."),
    clipped_samples: Type.Integer({ minimum: 0, description: "Samples in runs at full scale." }),
    silence_start: Type.Number({ minimum: 0, description: "Seconds of silence before the first sound." }),
    silence_end: Type.Number({ minimum: 0, description: "Seconds of silence after the last sound." }),
  },
  { $id: "Analysis", description: "The results of the analysis of a recording. A value that was not found is null." },
);

/** An upload in both forms. */
export const UploadSchema = Type.Object(
  {
    id: Type.String({ pattern: uploadIdPattern }),
    kind: Type.Enum([...uploadKinds]),
    filename: Type.String({ description: "As sent. A text, never a path." }),
    bytes: Type.Integer({ format: "int64", minimum: 1, description: "Of the whole file." }),
    received: Type.Integer({ format: "int64", minimum: 0, description: "The number of bytes that have arrived." }),
    sha256: orNull(Type.String({ pattern: "^[0-9a-f]{64}$" }), "Of the file as it was sent; null until it is stored."),
    status: Type.Enum([...uploadStatuses], {
      description: "receiving becomes analysing with the last byte, then ready or rejected.",
    }),
    rejection: orNull(Type.String(), "Why it was rejected, as a sentence; null unless it was."),
    analysis: Type.Union([AnalysisSchema, Type.Null()], { description: "Of audio that is ready; null otherwise." }),
    created_at: time,
    expires_at: orNull(time, "When it is deleted, unless a beat uses it by then; null when one does."),
  },
  { $id: "Upload", description: "A file that was uploaded, or whose bytes are still arriving." },
);

export const UploadResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ upload: UploadSchema }),
  console: Type.Object({ upload: UploadSchema }),
};

/** The account's use of the storage, in both forms and in the studio. */
export const StorageUseSchema = Type.Object(
  {
    used_bytes: Type.Integer({
      format: "int64",
      minimum: 0,
      description: "Uploads that are incomplete or ready, and the files of beats in every state.",
    }),
    max_bytes: Type.Union([Type.Integer({ format: "int64", minimum: 0 }), Type.Null()], {
      description: "What the account's plan allows; null without a bound.",
    }),
  },
  { description: "The storage that the account's files use, and its limit." },
);

const listExtras = { storage: StorageUseSchema };

export const UploadsResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ uploads: Type.Array(UploadSchema), pagination: ReferencePagination, ...listExtras }),
  console: Type.Array(UploadSchema),
  meta: consoleMetaWith(listExtras, "ConsoleUploadsMeta"),
};
