import { Group, Stack, Text } from "@mantine/core";
import { locale, t } from "../../../api/locale.ts";
import { clockTime } from "../../../display/player/clock-time.ts";
import type { Upload } from "../studio-queries.ts";

/** Texts about the files that buyers get if the recording is in a lossy format. */
const lossyFiles: Record<string, "studio.mp3AsIs" | "studio.mp3SameBitRate"> = {
  mp3: "studio.mp3AsIs",
  ogg: "studio.mp3SameBitRate",
  m4a: "studio.mp3SameBitRate",
};

const oneDecimal = (value: number): string =>
  locale.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });

function channelsText(channels: number): string {
  if (channels === 1) return t("studio.mono");
  return channels === 2 ? t("studio.stereo") : t("studio.channels", { channels });
}

/** The analysed properties of a recording, except tempo and key. */
export function Facts({ analysis }: { analysis: NonNullable<Upload["analysis"]> }) {
  const { duration, format, sample_rate, channels, loudness_lufs, true_peak_dbtp, clipped_samples } = analysis;
  const facts = [
    [t("studio.length"), clockTime(duration)],
    [
      t("studio.format"),
      t("studio.formatDetails", {
        format: format.toUpperCase(),
        sampleRate: sample_rate / 1_000,
        channels: channelsText(channels),
      }),
    ],
    [
      t("studio.loudness"),
      loudness_lufs === null ? t("studio.silent") : t("studio.lufs", { lufs: oneDecimal(loudness_lufs) }),
    ],
    [
      t("studio.truePeak"),
      true_peak_dbtp === null ? t("studio.silent") : t("studio.dbtp", { dbtp: oneDecimal(true_peak_dbtp) }),
    ],
    [
      t("studio.clipping"),
      clipped_samples === 0 ? t("studio.noClipping") : t("studio.clippedSamples", { count: clipped_samples }),
    ],
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
          {t("studio.lossyFormatNote", { format: format.toUpperCase(), lossyFile: t(lossyFile) })}
        </Text>
      )}
    </Stack>
  );
}
