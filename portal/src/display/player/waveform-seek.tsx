import { useComputedColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { clockTime } from "./clock-time.ts";
import type { Track } from "./player.ts";
import { player, usePlayer } from "./use-player.ts";
import classes from "./waveform.module.css";
import { drawWaveform, peaksOf } from "./waveform.ts";

const steps = 1_000;

const peaksQuery = (id: number) => ({
  queryKey: ["peaks", id],
  queryFn: () => peaksOf(`/media/beats/${id}.json`),
  staleTime: Number.POSITIVE_INFINITY,
});

interface WaveformSeekProps {
  track: Track;
  /** Played after it, when it is not the one that plays. */
  queue: readonly Track[];
}

/** A waveform to look at and to seek in. Where another track plays, the first touch plays this one. */
export function WaveformSeek({ track, queue }: WaveformSeekProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data: peaks } = useQuery(peaksQuery(track.id));
  const scheme = useComputedColorScheme("light");
  const isCurrent = usePlayer((state) => state.track?.id === track.id);
  const seconds = usePlayer((state) => (isCurrent ? state.seconds : 0));
  const duration = usePlayer((state) => (isCurrent ? state.duration : 0));
  const played = duration === 0 ? 0 : seconds / duration;
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const draw = () => drawWaveform(element, peaks ?? [], played);
    // The scheme changes the colours, which the canvas reads from its style.
    if (scheme !== undefined) draw();
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    return () => resized.disconnect();
  }, [peaks, played, scheme]);
  return (
    <div className={classes.wave}>
      <canvas ref={canvas} className={classes.canvas} />
      <input
        type="range"
        className={classes.position}
        min={0}
        max={steps}
        value={Math.round(played * steps)}
        aria-label={`Position in ${track.title}`}
        aria-valuetext={duration === 0 ? "Not loaded" : `${clockTime(seconds)} of ${clockTime(duration)}`}
        onPointerMove={(event) => setPointed(shareAt(event))}
        onPointerLeave={() => setPointed(null)}
        onChange={({ currentTarget }) => {
          if (!isCurrent) player.toggle(track, queue);
          player.seek((Number(currentTarget.value) / steps) * player.state().duration);
        }}
      />
      {/* The slider says its own time: this is for the eye. */}
      {pointed !== null && duration > 0 && (
        <span className={classes.pointed} style={{ insetInlineStart: `${pointed * 100}%` }} aria-hidden>
          <span className={classes.pointedTime}>{clockTime(pointed * duration)}</span>
        </span>
      )}
    </div>
  );
}

/** Where the pointer is, as a share of the slider from its beginning, in either direction of writing. */
function shareAt({ currentTarget, clientX }: PointerEvent<HTMLInputElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (clientX - left) / width));
  return getComputedStyle(currentTarget).direction === "rtl" ? 1 - share : share;
}
