import { Group, Stack, Text } from "@mantine/core";
import { clockTime } from "../../../display/player/clock-time.ts";
import type { Upload } from "../studio-queries.ts";

/** What buyers get of a recording whose format leaves something out. */
const lossyFiles: Record<string, string> = {
  mp3: "the MP3 as it is",
  ogg: "an MP3 at its bit rate",
  m4a: "an MP3 at its bit rate",
};

/** What else was heard in a recording. */
export function Facts({ analysis }: { analysis: NonNullable<Upload["analysis"]> }) {
  const { duration, format, sample_rate, channels, loudness_lufs, true_peak_dbtp, clipped_samples } = analysis;
  const facts = [
    ["Length", clockTime(duration)],
    [
      "Format",
      `${format.toUpperCase()}, ${sample_rate / 1_000} kHz, ${{ 1: "mono", 2: "stereo" }[channels] ?? `${channels} channels`}`,
    ],
    ["Loudness", loudness_lufs === null ? "silent" : `${loudness_lufs.toFixed(1)} LUFS`],
    ["True peak", true_peak_dbtp === null ? "silent" : `${true_peak_dbtp.toFixed(1)} dBTP`],
    ["Clipping", clipped_samples === 0 ? "none" : `${clipped_samples.toLocaleString("en")} samples`],
  ];
  const lossyFile = lossyFiles[format];
  return (
    <Stack gap="xs">
      <Group component="dl" gap="xl" m={0} style={{ rowGap: 8 }}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
      </Group>
      {lossyFile !== undefined && (
        <Text size="xs" c="dimmed">
          {format.toUpperCase()} is a lossy format, so the licenses bring {lossyFile} and no WAV. To offer WAV, upload
          the recording as WAV, AIFF or FLAC.
        </Text>
      )}
    </Stack>
  );
}
