import { clockTime } from "../display/player/clock-time.ts";
import { drawWaveform, loadPeaks } from "../display/player/waveform.ts";

/** What an element with `data-beat` says of its beat. */
interface Track {
  id: string;
  title: string;
  producer: string;
  audio: string;
  cover: string;
  waveform: string;
}

const audio = new Audio();
audio.preload = "none";
let playing: Track | null = null;
const peaks = new Map<string, number[]>();

/** Both states of a play button; the style shows one. */
const icons =
  '<svg class="go" width="18" height="18" viewBox="0 0 18 18" fill="currentColor" aria-hidden="true"><path d="M5 2.6v12.8c0 .7.8 1.1 1.4.7l9.2-6.4a.9.9 0 0 0 0-1.4L6.4 1.9C5.8 1.5 5 1.9 5 2.600Z"/></svg><svg class="pause" width="18" height="18" viewBox="0 0 18 18" fill="currentColor" aria-hidden="true"><rect x="4" y="2.5" width="3.6" height="13" rx="1.2"/><rect x="10.4" y="2.5" width="3.6" height="13" rx="1.2"/></svg>';

/** One player for the page: covers begin a beat, the bar at the bottom goes on with it while somebody looks elsewhere. */
export function playBeats(): void {
  document.addEventListener("beats-shown", prepare);
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("button.play");
    if (button !== null) toggle(button);
    if (target.closest("[data-close-player]") !== null) close();
  });
  for (const name of ["play", "pause", "timeupdate", "durationchange", "emptied"]) audio.addEventListener(name, draw);
  audio.addEventListener("ended", next);
  audio.addEventListener("error", () => {
    if (playing !== null) say("This preview could not be played.");
  });
  document.addEventListener("pointermove", ({ target, clientX }) => point(target as Element, clientX));
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  document.addEventListener("input", (event) => {
    const range = event.target as HTMLInputElement;
    if (range.matches(".wave input")) seek(range);
  });
  prepare();
}

/** Shows the buttons that only a script can serve, and draws the waveform of a beat's page. */
function prepare(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button.play[hidden]")) {
    button.innerHTML = icons;
    button.hidden = false;
  }
  const listen = document.querySelector<HTMLElement>(".listen[data-beat]");
  const deck = listen?.querySelector<HTMLElement>(".deck");
  if (listen && deck) {
    deck.hidden = false;
    listen.querySelector("audio")?.remove();
    void load(trackOf(listen));
  }
  draw();
}

function trackOf({ dataset }: HTMLElement): Track {
  const { beat: id = "", title = "", producer = "", audio: source = "", cover = "", waveform = "" } = dataset;
  return { id, title, producer, audio: source, cover, waveform };
}

function toggle(button: HTMLElement): void {
  const holder = button.closest<HTMLElement>("[data-beat]");
  const track = holder === null ? playing : trackOf(holder);
  if (track === null) return;
  if (track.id === playing?.id && !audio.paused) audio.pause();
  else play(track);
}

function play(track: Track): void {
  if (track.id !== playing?.id) {
    playing = track;
    audio.src = track.audio;
    showPlayer(track);
    void load(track);
  }
  audio.play().catch((error: Error) => {
    if (error.name === "NotAllowedError") say("The browser did not let this play. Press play once more.");
  });
}

async function load({ id, waveform }: Track): Promise<void> {
  if (!peaks.has(id)) peaks.set(id, await loadPeaks(waveform));
  draw();
}

function showPlayer({ id, title, producer, cover }: Track): void {
  const player = element("player");
  player.hidden = false;
  document.body.classList.add("has-player");
  const link = player.querySelector("a");
  if (link !== null) {
    link.href = `/beats/${id}`;
    link.textContent = title;
  }
  player.querySelector("[data-producer]")?.replaceChildren(producer);
  player.querySelector("img")?.setAttribute("src", cover);
  say("");
  if ("mediaSession" in navigator)
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist: producer, artwork: [{ src: cover }] });
}

function close(): void {
  const id = playing?.id;
  audio.pause();
  playing = null;
  element("player").hidden = true;
  document.body.classList.remove("has-player");
  draw();
  document.querySelector<HTMLElement>(`[data-beat="${id}"] button.play`)?.focus();
}

/** The beat behind this one on the page. */
function next(): void {
  const tracks = [...document.querySelectorAll<HTMLElement>(".wall [data-beat]")].map(trackOf);
  const at = tracks.findIndex(({ id }) => id === playing?.id);
  const following = at < 0 ? undefined : tracks[at + 1];
  if (following !== undefined) play(following);
  else draw();
}

function seek(range: HTMLInputElement): void {
  const holder = range.closest<HTMLElement>("[data-beat]");
  if (holder !== null && holder.dataset.beat !== playing?.id) play(trackOf(holder));
  const to = Number(range.value);
  if (Number.isFinite(audio.duration)) audio.currentTime = (to / 1_000) * audio.duration;
}

/** Marks the time under the pointer on the waveform of what plays. For the eye: the slider says its own time. */
function point(target: Element, x: number): void {
  const range = target.closest(".wave input");
  const id = range?.closest<HTMLElement>("[data-beat]")?.dataset.beat ?? playing?.id;
  const isSeekable = playing !== null && id === playing.id && Number.isFinite(audio.duration);
  const wave = isSeekable ? range?.parentElement : null;
  for (const mark of document.querySelectorAll(".pointed")) if (mark.parentElement !== wave) mark.remove();
  if (!range || !wave) return;
  const { left, width } = range.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (x - left) / width));
  const mark = wave.querySelector<HTMLElement>(".pointed") ?? wave.appendChild(document.createElement("span"));
  mark.className = "pointed";
  mark.ariaHidden = "true";
  mark.style.insetInlineStart = `${share * 100}%`;
  mark.dataset.time = clockTime(share * audio.duration);
}

function draw(): void {
  const isPlaying = playing !== null && !audio.paused;
  for (const holder of document.querySelectorAll<HTMLElement>("[data-beat], #player")) {
    const isThis = holder.id === "player" || holder.dataset.beat === playing?.id;
    holder.classList.toggle("is-playing", isThis && isPlaying);
    const title = holder.id === "player" ? playing?.title : holder.dataset.title;
    const button = holder.querySelector("button.play");
    const label = `${isThis && isPlaying ? "Pause" : "Play"} ${title}`;
    if (button !== null && button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    drawDeck(holder, isThis);
  }
}

function drawDeck(holder: HTMLElement, isThis: boolean): void {
  const canvas = holder.querySelector("canvas");
  const range = holder.querySelector<HTMLInputElement>(".wave input");
  if (canvas === null || range === null || canvas.clientWidth === 0) return;
  const id = holder.dataset.beat ?? playing?.id ?? "";
  const seconds = isThis && Number.isFinite(audio.duration) ? audio.duration : 0;
  const at = isThis ? audio.currentTime : 0;
  const played = seconds === 0 ? 0 : at / seconds;
  drawWaveform(canvas, peaks.get(id) ?? [], played);
  range.value = String(Math.round(played * 1_000));
  range.setAttribute("aria-valuetext", seconds === 0 ? "Not loaded" : `${clockTime(at)} of ${clockTime(seconds)}`);
  const time = holder.querySelector(".time");
  if (time !== null) time.textContent = seconds === 0 ? "" : `${clockTime(at)} / ${clockTime(seconds)}`;
}

function say(text: string): void {
  const status = element("player").querySelector("[role=status]");
  if (status !== null && status.textContent !== text) status.textContent = text;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}
