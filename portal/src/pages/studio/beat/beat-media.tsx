import { Group, Paper, Text, Title } from "@mantine/core";
import { t } from "../../../api/locale.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { PlayButton } from "../../../display/player/play-button.tsx";
import { trackOf } from "../../../display/player/use-player.ts";
import { WaveformSeek } from "../../../display/player/waveform-seek.tsx";
import { RecordingPlayer } from "../recording-player.tsx";
import { type OwnBeat, uploadFile } from "../studio-queries.ts";

/**
 * A player of the recording, or of the preview without an analysed recording, and a player of a published beat's
 * preview.
 */
export function BeatMedia({ beat: { beat, uploads } }: { beat: OwnBeat }) {
  const { audio } = uploads;
  const hasPreview = beat.status === "published";
  const track = trackOf(beat);
  return (
    <>
      {audio?.status === "ready" && audio.analysis !== null ? (
        <RecordingPlayer
          label={t("studio.yourRecording")}
          audioUrl={uploadFile(audio.id, "audio")}
          waveformUrl={uploadFile(audio.id, "waveform.json")}
          duration={audio.analysis.duration}
        />
      ) : (
        typeof beat.waveform_url === "string" && (
          <RecordingPlayer
            label={t("studio.thePreview")}
            audioUrl={ownOrigin(beat.audio_url)}
            waveformUrl={ownOrigin(beat.waveform_url)}
            duration={beat.duration}
          />
        )
      )}
      {hasPreview && (
        <Paper withBorder p="md" component="section" aria-labelledby="preview">
          <Title order={2} size="h5" id="preview">
            {t("studio.whatBuyersHear")}
          </Title>
          <Text size="xs" c="dimmed" mb="xs">
            {t("studio.publicPreviewHint")}
          </Text>
          <Group gap="sm" wrap="nowrap" h={56}>
            <PlayButton track={track} queue={[track]} />
            <WaveformSeek track={track} queue={[track]} />
          </Group>
        </Paper>
      )}
    </>
  );
}
