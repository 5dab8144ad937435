import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import {
  afterParameter,
  consoleMeta,
  consoleMetaWith,
  pageParameters,
  ReferencePagination,
  referencePagination,
} from "@beatmarket/http/pagination.ts";
import type { PresenterContext, ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type TSchema } from "typebox";
import type { StorageUse } from "./storage-use.ts";
import type { Upload } from "./upload.ts";
import { uploadIdPattern, uploadKinds, uploadStatuses } from "./upload.ts";

const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });
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
    bpm: orNull(Type.Number({ exclusiveMinimum: 0 }), "The tempo in beats per minute. Null if the recording has none."),
    bpm_confidence: confidence("the tempo"),
    bpm_alternative: orNull(
      Type.Number({ exclusiveMinimum: 0 }),
      "The second most likely tempo, often half or double of the first.",
    ),
    key: orNull(Type.String(), "The musical key, such as `C# minor`. Null if the recording has none."),
    key_confidence: confidence("the key"),
    key_alternative: orNull(Type.String(), "The second most likely key."),
    duration: Type.Integer({ minimum: 0, description: "The duration in seconds." }),
    format: Type.String({
      description:
        "The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy; licenses of such a recording include no WAV.",
    }),
    sample_rate: Type.Integer({ minimum: 1, description: "The sample rate in Hz." }),
    channels: Type.Integer({ minimum: 1 }),
    loudness_lufs: orNull(Type.Number(), "The integrated loudness by EBU R128. Null for silence."),
    true_peak_dbtp: orNull(Type.Number(), "The true peak in dBTP. Null for silence."),
    clipped_samples: Type.Integer({ minimum: 0, description: "The number of samples in runs at full scale." }),
    silence_start: Type.Number({ minimum: 0, description: "The number of seconds of silence before the first sound." }),
    silence_end: Type.Number({ minimum: 0, description: "The number of seconds of silence after the last sound." }),
  },
  { $id: "Analysis", description: "The results of the analysis of a recording. An unknown value is null." },
);

/** An upload in both forms. */
export const UploadSchema = Type.Object(
  {
    id: Type.String({ pattern: uploadIdPattern }),
    kind: Type.Enum([...uploadKinds]),
    filename: Type.String({ description: "The name of the file, as sent. It is a text, never a path." }),
    bytes: Type.Integer({ format: "int64", minimum: 1, description: "The size of the whole file in bytes." }),
    received: Type.Integer({ format: "int64", minimum: 0, description: "The number of bytes that have arrived." }),
    sha256: orNull(
      Type.String({ pattern: "^[0-9a-f]{64}$" }),
      "The SHA-256 of the sent file. Null until the file is stored.",
    ),
    status: Type.Enum([...uploadStatuses], {
      description: "The status. `receiving` becomes `analysing` with the last byte, then `ready` or `rejected`.",
    }),
    rejection: orNull(Type.String(), "Why the upload was rejected, as a sentence. Null unless it was."),
    analysis: Type.Union([AnalysisSchema, Type.Null()], {
      description: "The results of the analysis. Null unless the upload is audio and ready.",
    }),
    created_at: time,
    expires_at: orNull(time, "When the upload will be deleted, unless a beat uses it by then. Null if a beat uses it."),
  },
  { $id: "Upload", description: "A file that was uploaded, or of which some bytes have arrived." },
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
      description:
        "The size of all files of the account, in bytes: incomplete and ready uploads, the files of beats in every state, replaced files that buyers keep, and the profile picture.",
    }),
    max_bytes: Type.Union([Type.Integer({ format: "int64", minimum: 0 }), Type.Null()], {
      description: "The limit of the account's plan, in bytes. Null if there is none.",
    }),
  },
  { description: "The storage that the account's files use, and the limit." },
);

const listExtras = { storage: StorageUseSchema };

export const UploadsResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ uploads: Type.Array(UploadSchema), pagination: ReferencePagination, ...listExtras }),
  console: Type.Array(UploadSchema),
  meta: consoleMetaWith(listExtras, "ConsoleUploadsMeta"),
};

/** The fields of an upload, which are the same in both forms. An upload that a beat uses does not expire. */
export const uploadFields = (upload: Upload) => ({
  id: upload.id,
  kind: upload.kind,
  filename: upload.filename,
  bytes: upload.bytes,
  received: upload.received,
  sha256: upload.sha256,
  status: upload.status,
  rejection: upload.rejection,
  analysis: upload.analysis,
  created_at: timestamp(upload.created_at),
  expires_at: upload.used_at === null ? timestamp(upload.expires_at) : null,
});

export const uploadReference = (upload: Upload) => ({ upload: uploadFields(upload) });

/** A page of uploads, and the account's use of the storage. */
type UploadsPage = Page<Upload> & { storage: StorageUse };

export const uploadsReference = (page: UploadsPage, context: PresenterContext) => ({
  uploads: page.items.map(uploadFields),
  pagination: referencePagination(page, context),
  storage: storageFields(page.storage),
});

/** The fields of the storage use, which are the same in both forms and in the studio. */
export const storageFields = ({ usedBytes, maxBytes }: StorageUse) => ({ used_bytes: usedBytes, max_bytes: maxBytes });

export const uploadConsole = (upload: Upload) => ({ data: uploadReference(upload) });

export const uploadsConsole = (page: UploadsPage) => ({
  data: page.items.map(uploadFields),
  meta: { ...consoleMeta(page), storage: storageFields(page.storage) },
});
