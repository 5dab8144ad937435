import { randomInt } from "../../access/random-source.ts";

export const uploadKinds = ["audio", "stems", "cover"] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** `receiving` becomes `analysing` with the last byte, then `ready` or `rejected`. */
export const uploadStatuses = ["receiving", "analysing", "ready", "rejected"] as const;
export type UploadStatus = (typeof uploadStatuses)[number];

/** The maximum size of a file of each kind. */
export const maxBytesOf: Readonly<Record<UploadKind, number>> = {
  audio: 500_000_000,
  stems: 2_000_000_000,
  cover: 20_000_000,
};

/** The maximum number of an account's incomplete uploads. */
export const maxOpenUploads = 20;
/** The maximum size of all of an account's uploads that no beat uses. */
export const maxUnusedBytes = 10_000_000_000;

/** An incomplete or unused upload is deleted after this time. */
export const uploadLifetimeMs = 24 * 3_600_000;

/** The analysis of a recording, in the format of both forms. A value is null if it could not be measured. */
export interface Analysis {
  bpm: number | null;
  /** From 0 to 1, like `key_confidence`. */
  bpm_confidence: number | null;
  bpm_alternative: number | null;
  key: string | null;
  key_confidence: number | null;
  key_alternative: string | null;
  /** In whole seconds. */
  duration: number;
  format: string;
  sample_rate: number;
  channels: number;
  loudness_lufs: number | null;
  true_peak_dbtp: number | null;
  clipped_samples: number;
  /** The seconds of silence at the start. `silence_end` has the seconds at the end. */
  silence_start: number;
  silence_end: number;
}

/** A file that an account sends for a beat. It expires unless a beat uses it. */
export interface Upload {
  id: string;
  user_id: number;
  kind: UploadKind;
  filename: string;
  /** The size of the whole file. */
  bytes: number;
  /** The number of bytes that have arrived and are stored. */
  received: number;
  status: UploadStatus;
  /** A sentence. Null unless the upload was rejected. */
  rejection: string | null;
  /** Whether a fault of the service caused the rejection, so that another analysis may succeed. */
  is_retriable: boolean;
  /** The analysis of ready audio. Null for other uploads. */
  analysis: Analysis | null;
  /** The SHA-256 of the sent file, in lower-case hex. Null until the file is stored. */
  sha256: string | null;
  /** The time at which a beat first used the upload. Null for an unused upload. */
  used_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 22;

/** `upl_` and 131 random bits in base 62. */
export const newUploadId = (): string =>
  `upl_${Array.from({ length: idLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`;

const uploadId = /^upl_[0-9A-Za-z]{22}$/;
/** The pattern of an upload's id. */
export const uploadIdPattern = uploadId.source;
export const isUploadId = (text: string): boolean => uploadId.test(text);

/** The kind of the media job that analyses an upload. */
export const jobKindOf = { audio: "analyse", stems: "stems", cover: "cover" } as const;
