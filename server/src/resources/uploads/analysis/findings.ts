import { join } from "node:path";
import type { Analysis as AudioAnalysis, AudioFormat, Cover, Stems } from "@beatmarket/audio/media-task.ts";
import type { Analysis } from "../upload.ts";

/** The results of a media task, and the files to store. */
export interface Findings {
  analysis: Analysis | null;
  files: { name: string; path: string; content_type: string }[];
}

interface Folders {
  input: string;
  outDir: string;
}

const audioTypes: Record<AudioFormat, string> = {
  wav: "audio/wav",
  aiff: "audio/aiff",
  flac: "audio/flac",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
};

const original = ({ input }: Folders, content_type: string) => ({ name: "original", path: input, content_type });
const outputFile = ({ outDir }: Folders, name: string, file: string, content_type: string) => ({
  name,
  path: join(outDir, file),
  content_type,
});

/** The findings of each kind of upload. */
export const findingsOf = {
  audio: (folders: Folders, analysis: AudioAnalysis): Findings => ({
    analysis: analysisOf(analysis),
    files: [
      original(folders, audioTypes[analysis.format]),
      outputFile(folders, "waveform", "waveform.json", "application/json"),
      outputFile(folders, "waveform-detail", "waveform-detail.json", "application/json"),
    ],
  }),
  cover: (folders: Folders, _: Cover): Findings => ({
    analysis: null,
    files: [
      // Never served, since only the picture made from it is known to be one.
      original(folders, "application/octet-stream"),
      outputFile(folders, "cover", "cover.jpg", "image/jpeg"),
    ],
  }),
  stems: (folders: Folders, _: Stems): Findings => ({
    analysis: null,
    files: [original(folders, "application/zip")],
  }),
};

const analysisOf = (analysis: AudioAnalysis): Analysis => ({
  bpm: analysis.bpm?.value ?? null,
  bpm_confidence: rounded(analysis.bpm?.confidence),
  bpm_alternative: analysis.bpm?.alternative ?? null,
  key: analysis.key?.value ?? null,
  key_confidence: rounded(analysis.key?.confidence),
  key_alternative: analysis.key?.alternative ?? null,
  duration: Math.round(analysis.durationSeconds),
  format: analysis.format,
  sample_rate: analysis.sampleRate,
  channels: analysis.channels,
  loudness_lufs: rounded(analysis.loudness.integratedLufs),
  true_peak_dbtp: rounded(analysis.loudness.truePeakDbtp),
  clipped_samples: analysis.clippedSamples,
  silence_start: rounded(analysis.silence.startSeconds) ?? 0,
  silence_end: rounded(analysis.silence.endSeconds) ?? 0,
});

/** Rounds to hundredths. Null for a missing value, and for one that is not a number, such as the peak of silence. */
const rounded = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Math.round(value * 100) / 100;
