import { clockTime } from "../display/player/clock-time.ts";
import type { PlayerState } from "../display/player/player.ts";
import { drawWaveform, loadPeaks } from "../display/player/waveform.ts";
import { locale } from "./texts.ts";

// The elements that show the playing track: the bar at the bottom, and each element with `data-beat`.

const peaks = new Map<string, number[]>();

export function element(id: string): HTMLElement {
  const elementOfId = document.getElementById(id);
  if (elementOfId === null) throw new Error(`The page has no #${id}.`);
  return elementOfId;
}

export function drawTracks(state: PlayerState): void {
  drawBar(state);
  for (const holder of document.querySelectorAll<HTMLElement>("[data-beat], #player")) {
    const isBar = holder.id === "player";
    const isCurrent = isBar || Number(holder.dataset.beat) === state.track?.id;
    const isPlaying = isCurrent && state.isPlaying;
    holder.classList.toggle("is-playing", isPlaying);
    const button = holder.querySelector("button.play");
    const title = (isBar ? state.track?.title : holder.dataset.title) ?? "";
    const label = locale.t(isPlaying ? "script.pause" : "script.play", { title });
    if (button !== null && button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    drawDeck(holder, isCurrent ? state : { ...state, seconds: 0, duration: 0 });
  }
}

function drawBar({ track, problem, hasNext, volume }: PlayerState): void {
  if (track === null) return;
  const bar = element("player");
  const link = bar.querySelector("a");
  if (link !== null && link.textContent !== track.title) {
    link.href = `/beats/${track.id}`;
    link.textContent = track.title;
    bar.querySelector("[data-producer]")?.replaceChildren(track.producer);
    bar.querySelector("img")?.setAttribute("src", track.coverUrl);
  }
  const status = bar.querySelector("[role=status]");
  if (status !== null && status.textContent !== (problem ?? "")) status.textContent = problem ?? "";
  const next = bar.querySelector<HTMLButtonElement>("[data-next-beat]");
  if (next !== null) next.disabled = !hasNext;
  const slider = bar.querySelector<HTMLInputElement>("[data-volume]");
  if (slider === null) return;
  slider.value = String(volume);
  slider.setAttribute("aria-valuetext", `${Math.round(volume * 100)} %`);
}

function drawDeck(holder: HTMLElement, { track, seconds, duration }: PlayerState): void {
  const canvas = holder.querySelector("canvas");
  const range = holder.querySelector<HTMLInputElement>(".wave input");
  if (canvas === null || range === null || canvas.clientWidth === 0) return;
  const id = holder.dataset.beat ?? String(track?.id);
  const played = duration === 0 ? 0 : seconds / duration;
  const shape = peaks.get(id);
  if (shape === undefined) void load(id, holder);
  drawWaveform(canvas, shape ?? [], played);
  range.value = String(Math.round(played * 1_000));
  const text = locale.t("script.time", { time: clockTime(seconds), duration: clockTime(duration) });
  range.setAttribute("aria-valuetext", duration === 0 ? locale.t("script.notLoaded") : text);
  const time = holder.querySelector(".time");
  if (time !== null) time.textContent = duration === 0 ? "" : `${clockTime(seconds)} / ${clockTime(duration)}`;
}

/** Loads and draws a waveform once. The playing track's waveform is redrawn with each change. */
async function load(id: string, holder: HTMLElement): Promise<void> {
  peaks.set(id, []);
  const shape = await loadPeaks(`/media/beats/${id}.json`);
  peaks.set(id, shape);
  const canvas = holder.querySelector("canvas");
  if (canvas !== null) drawWaveform(canvas, shape, 0);
}

/** Marks the time under the pointer on the playing track's waveform. Only visual: the slider announces its own time. */
export function pointAt({ track, duration }: PlayerState, target: Element, x: number): void {
  const range = target.closest(".wave input");
  const holder = range?.closest<HTMLElement>("[data-beat]");
  const isCurrent = track !== null && (holder ? Number(holder.dataset.beat) === track.id : true);
  const wave = isCurrent && duration > 0 ? range?.parentElement : null;
  for (const mark of document.querySelectorAll(".pointed")) if (mark.parentElement !== wave) mark.remove();
  if (!range || !wave) return;
  const { left, width } = range.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (x - left) / width));
  const mark = wave.querySelector<HTMLElement>(".pointed") ?? wave.appendChild(document.createElement("span"));
  mark.className = "pointed";
  mark.ariaHidden = "true";
  mark.style.insetInlineStart = `${share * 100}%`;
  mark.dataset.time = clockTime(share * duration);
}
