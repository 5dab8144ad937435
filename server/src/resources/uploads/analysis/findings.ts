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
const made = ({ outDir }: Folders, name: string, file: string, content_type: string) => ({
  name,
  path: join(outDir, file),
  content_type,
});

/** The findings of each kind of upload. */
export const findingsOf = {
  audio: (folders: Folders, found: AudioAnalysis): Findings => ({
    analysis: analysisOf(found),
    files: [
      original(folders, audioTypes[found.format]),
      made(folders, "waveform", "waveform.json", "application/json"),
      made(folders, "waveform-detail", "waveform-detail.json", "application/json"),
    ],
  }),
  cover: (folders: Folders, _: Cover): Findings => ({
    analysis: null,
    files: [
      // Never served, since only the picture made from it is known to be one.
      original(folders, "application/octet-stream"),
      made(folders, "cover", "cover.jpg", "image/jpeg"),
    ],
  }),
  stems: (folders: Folders, _: Stems): Findings => ({
    analysis: null,
    files: [original(folders, "application/zip")],
  }),
};

const analysisOf = (found: AudioAnalysis): Analysis => ({
  bpm: found.bpm?.value ?? null,
  bpm_confidence: rounded(found.bpm?.confidence),
  bpm_alternative: found.bpm?.alternative ?? null,
  key: found.key?.value ?? null,
  key_confidence: rounded(found.key?.confidence),
  key_alternative: found.key?.alternative ?? null,
  duration: Math.round(found.durationSeconds),
  format: found.format,
  sample_rate: found.sampleRate,
  channels: found.channels,
  loudness_lufs: rounded(found.loudness.integratedLufs),
  true_peak_dbtp: rounded(found.loudness.truePeakDbtp),
  clipped_samples: found.clippedSamples,
  silence_start: rounded(found.silence.startSeconds) ?? 0,
  silence_end: rounded(found.silence.endSeconds) ?? 0,
});

/** Rounds to hundredths. Null for a missing value, and for one that is no number, such as the peak of silence. */
const rounded = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Math.round(value * 100) / 100;
