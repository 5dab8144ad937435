import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { t } from "../../api/locale.ts";
import { clockTime } from "./clock-time.ts";
import classes from "./waveform.module.css";
import { drawWaveform } from "./waveform.ts";

/** The number of steps of the slider. */
const steps = 1_000;

interface WaveformSliderProps {
  /** The name of the track: "night drive". */
  label: string;
  /** The waveform's peaks; undefined while they load. */
  peaks: readonly number[] | undefined;
  seconds: number;
  /** The duration in seconds; 0 while unknown. */
  duration: number;
  /** Receives the position as a share (0 to 1), because the duration may be unknown at the first press. */
  onSeek(share: number): void;
}

/**
 * A waveform that is a slider. The pointer seeks, and so do the arrows (one second), Page Up and Page Down (five
 * seconds), Home and End.
 */
export function WaveformSlider({ label, peaks, seconds, duration, onSeek }: WaveformSliderProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme("light");
  const played = duration === 0 ? 0 : seconds / duration;
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const draw = () => drawWaveform(element, peaks ?? [], played);
    // The canvas reads the colours from the style, so it must redraw when the colour scheme changes.
    if (scheme !== undefined) draw();
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    return () => resized.disconnect();
  }, [peaks, played, scheme]);
  const seekByKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const offset = secondsOf(event);
    if (offset === undefined || duration === 0) return;
    event.preventDefault();
    onSeek(Math.min(1, Math.max(0, (seconds + offset) / duration)));
  };
  return (
    <div className={classes.wave}>
      <canvas ref={canvas} className={classes.canvas} />
      <input
        type="range"
        className={classes.position}
        min={0}
        max={steps}
        value={Math.round(played * steps)}
        aria-label={t("player.positionInTrack", { label })}
        aria-valuetext={
          duration === 0
            ? t("player.notLoaded")
            : t("player.timeOfDuration", { time: clockTime(seconds), of: clockTime(duration) })
        }
        onPointerMove={(event) => setPointed(shareAt(event))}
        onPointerLeave={() => setPointed(null)}
        onKeyDown={seekByKey}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value) / steps)}
      />
      {/* Only visual: screen readers read the slider's time. */}
      {pointed !== null && duration > 0 && (
        <span className={classes.pointed} style={{ insetInlineStart: `${pointed * 100}%` }} aria-hidden>
          <span className={classes.pointedTime}>{clockTime(pointed * duration)}</span>
        </span>
      )}
    </div>
  );
}

/** The seconds that a key seeks; undefined for other keys. A single step of the slider would be inaudible. */
function secondsOf({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): number | undefined {
  const onward = isRtl(currentTarget) ? "ArrowLeft" : "ArrowRight";
  const backKey = isRtl(currentTarget) ? "ArrowRight" : "ArrowLeft";
  const offsets: Record<string, number> = {
    [onward]: 1,
    [backKey]: -1,
    ArrowUp: 1,
    ArrowDown: -1,
    PageUp: 5,
    PageDown: -5,
  };
  return Object.hasOwn(offsets, key) ? offsets[key] : undefined;
}

/** The pointer's position as a share of the slider from its start, in both writing directions. */
function shareAt({ currentTarget, clientX }: PointerEvent<HTMLInputElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (clientX - left) / width));
  return isRtl(currentTarget) ? 1 - share : share;
}

const isRtl = (element: Element): boolean => getComputedStyle(element).direction === "rtl";
