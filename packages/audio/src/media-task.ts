/** The accepted audio formats, detected by content. M4A requires the program `ffmpeg`. */
export type AudioFormat = "wav" | "aiff" | "flac" | "mp3" | "ogg" | "m4a";

/** All paths are absolute. `outDir` must exist. A task writes into no other folder. */
export type MediaTask =
  /** Measures a beat. Writes `waveform.json` (about 1,000 points) and `waveform-detail.json` (about 8,000 points). */
  | { kind: "analyse"; input: string; genre?: string; outDir: string }
  /**
   * Writes `preview.mp3`: 128 kbit/s, at most 90 seconds, without metadata. `tag.file` is a file of an accepted format.
   */
  | { kind: "preview"; input: string; outDir: string; tag: "default" | "none" | { file: string } }
  /**
   * Writes `cover.jpg`: re-encoded, at most 1,500 × 1,500 pixels; and `cover-small.webp`: the middle of the cover, 144
   * × 144 pixels. Refuses a picture that takes more than `maxMemoryBytes` to decode.
   */
  | { kind: "cover"; input: string; outDir: string; maxMemoryBytes?: number }
  /** Checks a ZIP file of stems. Writes nothing. */
  | { kind: "stems"; input: string; outDir: string }
  /**
   * Writes the whole beat for its buyers, without tag and metadata. For a lossless original: `master.mp3` of 320 kbit/s
   * and `master.wav`. If `isLossy`: only `master.mp3`, at the bit rate of the original. `encodedBytes` is the size of
   * the audio data before `ffmpeg` decoded it.
   */
  | { kind: "renditions"; input: string; outDir: string; isLossy: boolean; encodedBytes?: number };

export type MediaTaskKind = MediaTask["kind"];

export interface Estimate<Value> {
  value: Value;
  /** 0 to 1. */
  confidence: number;
  /** The second best value; null if there is none. */
  alternative: Value | null;
}

export interface Analysis {
  format: AudioFormat;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  /** Bits of a sample. Absent for lossy formats. */
  bitDepth?: number;
  durationSeconds: number;
  /** Beats per minute. Null if there is no pulse. */
  bpm: Estimate<number> | null;
  /** The name of a key (musical-key.ts), such as "C# minor". Null if there is no tonality. */
  key: Estimate<string> | null;
  /** EBU R128: integrated loudness in LUFS (at least -70) and true peak in dBTP. */
  loudness: { integratedLufs: number; truePeakDbtp: number };
  /** The number of samples in runs of three or more at full scale, over all channels. */
  clippedSamples: number;
  /** Samples below -60 dBFS at the start and at the end. */
  silence: { startSeconds: number; endSeconds: number };
}

export interface Preview {
  durationSeconds: number;
  sampleRate: number;
  channels: number;
  bytes: number;
}

export interface Cover {
  /** Pixels, after scaling. */
  width: number;
  height: number;
  bytes: number;
}

export interface Stems {
  /** The number of files in the ZIP. */
  files: number;
  /** The number of files whose content is audio. */
  audioFiles: number;
  /** The total size of the unpacked files. */
  bytes: number;
}

export interface Renditions {
  mp3: { sampleRate: number; channels: number; bytes: number };
  /** `encoding` is the encoding of the samples, such as `s24le`. Null for a lossy original. */
  wav: { sampleRate: number; channels: number; encoding: string; bytes: number } | null;
}

/** The result of each kind of task. */
export interface MediaResults {
  analyse: Analysis;
  preview: Preview;
  cover: Cover;
  stems: Stems;
  renditions: Renditions;
}

/** A failed task. */
export class MediaTaskError extends Error {
  override readonly name = "MediaTaskError";
  /** A sentence for the uploader. */
  readonly reason: string;
  /** Whether another attempt would also fail, because the file is unusable. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** The error for an unusable file. `reason` names the fault and the remedy. */
export const unusable = (reason: string, cause?: unknown): MediaTaskError =>
  new MediaTaskError(reason, { isFinal: true, cause });
