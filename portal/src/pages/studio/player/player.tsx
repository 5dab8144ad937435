import {
  ActionIcon,
  Group,
  Paper,
  Skeleton,
  Slider,
  Text,
  useComputedColorScheme,
  useMantineTheme,
} from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, send } from "../../../api/client.ts";
import { loadChunk } from "../../../api/load-chunk.ts";
import { clockTime } from "../../../display/player/clock-time.ts";
import { peaksOf, type WaveformData } from "./peaks.ts";

interface PlayerProps {
  /** What is played: "your recording". */
  label: string;
  audioUrl: string;
  /** A waveform of audiowaveform's version 2. */
  waveformUrl: string;
  /** In seconds. */
  duration: number;
}

const waveHeightPx = 96;
const seekStepSeconds = 5;

const waveformQuery = (url: string) => ({
  queryKey: ["waveform", url],
  queryFn: async (): Promise<WaveformData> => {
    const response = await send(url);
    if (response.ok) return response.json();
    throw new ApiError(response.status, "No waveform", "The waveform could not be read.", null);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** A waveform to look at and play: with a click in it, or with a button and a slider, which the keyboard reaches. */
export function Player({ label, audioUrl, waveformUrl, duration }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const waveform = useQuery(waveformQuery(waveformUrl));
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const toggle = () => {
    const element = audio.current;
    if (element?.paused === true) element.play().catch(() => setBroken(true));
    else element?.pause();
  };
  const seek = (to: number) => {
    setSeconds(to);
    if (audio.current !== null) audio.current.currentTime = to;
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={`Player of ${label}`}>
      {waveform.data !== undefined && <Wave data={waveform.data} audio={audio} duration={duration} />}
      {waveform.isPending && <Skeleton height={waveHeightPx} />}
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
      <Group gap="md" mt="sm" wrap="nowrap">
        <ActionIcon
          size="lg"
          radius="xl"
          variant="filled"
          aria-label={isPlaying ? `Pause ${label}` : `Play ${label}`}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </ActionIcon>
        <Slider
          flex={1}
          size="sm"
          min={0}
          max={Math.max(1, duration)}
          step={1}
          value={Math.floor(seconds)}
          onChange={seek}
          label={clockTime}
          thumbLabel={`Position in ${label}`}
          thumbValueText={`${clockTime(seconds)} of ${clockTime(duration)}`}
          onKeyDown={(event) => {
            const step = { PageUp: seekStepSeconds, PageDown: -seekStepSeconds }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            seek(Math.min(duration, Math.max(0, seconds + step)));
          }}
        />
        <Text size="sm" c="dimmed" miw="max-content">
          {clockTime(seconds)} / {clockTime(duration)}
        </Text>
      </Group>
      {isBroken && (
        <Text size="xs" c="dimmed" mt="xs" role="status">
          This browser cannot play the file as it is. Its preview will be an MP3, which every browser plays.
        </Text>
      )}
    </Paper>
  );
}

interface WaveProps {
  data: WaveformData;
  audio: React.RefObject<HTMLAudioElement | null>;
  duration: number;
}

/** The drawing by wavesurfer.js, which is loaded with the first waveform. What it does by click, button and slider do too. */
function Wave({ data, audio, duration }: WaveProps) {
  const container = useRef<HTMLDivElement>(null);
  const { colors } = useMantineTheme();
  const isDark = useComputedColorScheme("light") === "dark";
  useEffect(() => {
    let isGone = false;
    let destroy = () => {};
    void loadChunk(() => import("wavesurfer.js")).then(({ default: WaveSurfer }) => {
      if (isGone || container.current === null || audio.current === null) return;
      const drawn = WaveSurfer.create({
        container: container.current,
        media: audio.current,
        height: waveHeightPx,
        peaks: peaksOf(data),
        duration,
        normalize: true,
        barWidth: 2,
        barGap: 1,
        barRadius: 2,
        cursorWidth: 2,
        dragToSeek: true,
        waveColor: isDark ? "#6b6f7c" : "#b4b8c4",
        progressColor: colors.violet?.[isDark ? 4 : 6] ?? "",
        cursorColor: colors.violet?.[isDark ? 3 : 7] ?? "",
      });
      // It may be drawn anew while it plays, in other colours.
      const { currentTime } = audio.current;
      if (currentTime > 0) drawn.on("ready", () => drawn.setTime(currentTime));
      destroy = () => drawn.destroy();
    });
    return () => {
      isGone = true;
      destroy();
    };
  }, [data, audio, duration, isDark, colors]);
  return <div ref={container} aria-hidden style={{ height: waveHeightPx }} />;
}
