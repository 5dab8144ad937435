import { Group, Text } from "@mantine/core";
import { clockTime } from "../../../display/player/clock-time.ts";
import type { Upload } from "../studio-queries.ts";

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
  return (
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
  );
}
