/** The formats of audio that are accepted, told apart by their bytes. M4A needs the program `ffmpeg`. */
export type AudioFormat = "wav" | "aiff" | "flac" | "mp3" | "ogg" | "m4a";

/** Paths are absolute. A task writes its files into `outDir`, which exists, and nowhere else. */
export type MediaTask =
  /** Measures a beat; writes `waveform.json` (about 1,000 points) and `waveform-detail.json` (about 8,000). */
  | { kind: "analyse"; input: string; genre?: string; outDir: string }
  /** Writes `preview.mp3`: 128 kbit/s, at most 90 seconds, without metadata. `tag.file` is any audio that is accepted. */
  | { kind: "preview"; input: string; outDir: string; tag: "default" | "none" | { file: string } }
  /** Writes `cover.jpg`: re-encoded, inside a square of 1,500 pixels. One that would take more memory is refused. */
  | { kind: "cover"; input: string; outDir: string; maxMemoryBytes?: number }
  /** Checks a ZIP of stems; writes nothing. */
  | { kind: "stems"; input: string; outDir: string }
  /**
   * Writes the whole beat for its buyers, without tag and metadata: `master.mp3` of 320 kbit/s and `master.wav`, or `master.mp3` alone
   * where `isLossy`, at the original's own bit rate. `encodedBytes` are those of the samples before they were decoded for the task.
   */
  | { kind: "renditions"; input: string; outDir: string; isLossy: boolean; encodedBytes?: number };

export type MediaTaskKind = MediaTask["kind"];

export interface Estimate<Value> {
  value: Value;
  /** 0 to 1. */
  confidence: number;
  /** The second candidate. */
  alternative: Value | null;
}

export interface Analysis {
  format: AudioFormat;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  /** Of a sample, where the format has one. */
  bitDepth?: number;
  durationSeconds: number;
  /** Beats a minute; null when there is no pulse. */
  bpm: Estimate<number> | null;
  /** As musical-key.ts writes it ("C# minor"); null when there is no tonality. */
  key: Estimate<string> | null;
  /** EBU R128: LUFS over the whole file (-70 at least), and dBTP. */
  loudness: { integratedLufs: number; truePeakDbtp: number };
  /** Samples in runs of three or more at full scale, of all channels. */
  clippedSamples: number;
  /** Below -60 dBFS at the start and at the end. */
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
  /** Files in the ZIP, and how many of them are audio by their bytes. */
  files: number;
  audioFiles: number;
  /** Of all files, unpacked. */
  bytes: number;
}

export interface Renditions {
  mp3: { sampleRate: number; channels: number; bytes: number };
  /** `encoding` of the samples, such as `s24le`. Null for a lossy original. */
  wav: { sampleRate: number; channels: number; encoding: string; bytes: number } | null;
}

/** What each kind of task results in. */
export interface MediaResults {
  analyse: Analysis;
  preview: Preview;
  cover: Cover;
  stems: Stems;
  renditions: Renditions;
}

/** Why a task failed. */
export class MediaTaskError extends Error {
  override readonly name = "MediaTaskError";
  /** One sentence for the person who uploaded the file. */
  readonly reason: string;
  /** True when the file is at fault, and trying again would end alike. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(reason, { cause });
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** The file is at fault: `reason` says how, and what to do. */
export const unusable = (reason: string, cause?: unknown): MediaTaskError =>
  new MediaTaskError(reason, { isFinal: true, cause });
