import { ActionIcon, Group, Paper, Text } from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { send } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import { clockTime } from "../../display/player/clock-time.ts";
import { peaksQuery } from "../../display/player/peaks-query.ts";
import { WaveformSlider } from "../../display/player/waveform-slider.tsx";

interface RecordingPlayerProps {
  /** The name of the audio: "your recording". */
  label: string;
  audioUrl: string;
  /** The address of the waveform, in version 2 of audiowaveform's format. */
  waveformUrl: string;
  /** The duration in seconds. */
  duration: number;
}

/** A player for audio in the studio, which only the producer can hear. It does not use the portal's player. */
export function RecordingPlayer({ label, audioUrl, waveformUrl, duration }: RecordingPlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const { data: peaks } = useQuery(peaksQuery(waveformUrl, send));
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const toggle = () => {
    const element = audio.current;
    if (element?.paused === true) element.play().catch(() => setBroken(true));
    else element?.pause();
  };
  const seek = (share: number) => {
    setSeconds(share * duration);
    if (audio.current !== null) audio.current.currentTime = share * duration;
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t("studio.playerOf", { label })}>
      {/* biome-ignore lint/a11y/useMediaCaption: music without words */}
      <audio
        ref={audio}
        src={audioUrl}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
        onError={() => setBroken(true)}
      />
      <Group gap="md" wrap="nowrap" h={96}>
        <ActionIcon
          size="lg"
          radius="xl"
          variant="filled"
          aria-label={isPlaying ? t("studio.pause", { label }) : t("studio.play", { label })}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </ActionIcon>
        <WaveformSlider label={label} peaks={peaks} seconds={seconds} duration={duration} onSeek={seek} />
        <Text size="sm" c="dimmed" miw="max-content">
          {clockTime(seconds)} / {clockTime(duration)}
        </Text>
      </Group>
      {isBroken && (
        <Text size="xs" c="dimmed" mt="xs" role="status">
          {t("studio.browserCannotPlay")}
        </Text>
      )}
    </Paper>
  );
}
