import { showInMediaSession, takeMediaKeys } from "../display/player/media-session.ts";
import { Player, type Track } from "../display/player/player.ts";
import { locale } from "./texts.ts";
import { drawTracks, element, pointAt } from "./tracks.ts";

const volumeKey = "beatmarket-volume";
const player = new Player(() => new Audio(), {
  notAllowed: locale.t("script.notAllowed"),
  notPlayable: locale.t("script.notPlayable"),
});

/** The icons of a play button, one for each state. The style sheet shows one of them. */
const icons =
  '<svg class="go" width="18" height="18" viewBox="0 0 18 18" fill="currentColor" aria-hidden="true"><path d="M5 2.6v12.8c0 .7.8 1.1 1.4.7l9.2-6.4a.9.9 0 0 0 0-1.4L6.4 1.9C5.8 1.5 5 1.9 5 2.600Z"/></svg><svg class="pause" width="18" height="18" viewBox="0 0 18 18" fill="currentColor" aria-hidden="true"><rect x="4" y="2.5" width="3.6" height="13" rx="1.2"/><rect x="10.4" y="2.5" width="3.6" height="13" rx="1.2"/></svg>';

/**
 * Plays a beat when the button on its cover is clicked, and then the other beats of the list. The bar at the bottom
 * keeps playing when the page changes.
 */
export function playBeats(): void {
  player.setVolume(readVolume());
  player.subscribe(draw);
  takeMediaKeys(player);
  document.addEventListener("beats-shown", prepare);
  document.addEventListener("page-shown", prepare);
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("button.play");
    if (button !== null) toggle(button);
    if (target.closest("[data-next-beat]") !== null) player.next();
    if (target.closest("[data-previous-beat]") !== null) player.previous();
    if (target.closest("[data-close-player]") !== null) close();
  });
  document.addEventListener("input", (event) => {
    const range = event.target as HTMLInputElement;
    if (range.matches(".wave input")) seek(range);
    if (range.matches("[data-volume]")) setVolume(Number(range.value));
  });
  document.addEventListener("pointermove", ({ target, clientX }) =>
    pointAt(player.state(), target as Element, clientX),
  );
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  prepare();
}

/** Shows the buttons that need a script. */
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
  }
  draw();
}

function trackOf({ dataset }: HTMLElement): Track {
  const { beat, title = "", producer = "", audio = "", cover = "" } = dataset;
  return { id: Number(beat), title, producer, audioUrl: audio, coverUrl: cover };
}

/** The beats of the element's list in order. On a beat's page the queue contains all beats of the page. */
const queueOf = (holder: HTMLElement): Track[] =>
  [...(holder.closest("ul") ?? document).querySelectorAll<HTMLElement>("[data-beat]")].map(trackOf);

function toggle(button: HTMLElement): void {
  const holder = button.closest<HTMLElement>("[data-beat]");
  if (holder === null) player.toggleCurrent();
  else player.toggle(trackOf(holder), queueOf(holder));
}

function close(): void {
  const id = player.state().track?.id;
  player.close();
  document.querySelector<HTMLElement>(`[data-beat="${id}"] button.play`)?.focus();
}

function seek(range: HTMLInputElement): void {
  const holder = range.closest<HTMLElement>("[data-beat]");
  if (holder !== null && Number(holder.dataset.beat) !== player.state().track?.id)
    player.toggle(trackOf(holder), queueOf(holder));
  const { duration } = player.state();
  if (duration > 0) player.seek((Number(range.value) / 1_000) * duration);
}

function readVolume(): number {
  try {
    const storedVolume = Number.parseFloat(localStorage.getItem(volumeKey) ?? "1");
    return Number.isFinite(storedVolume) ? storedVolume : 1;
  } catch {
    return 1;
  }
}

function setVolume(volume: number): void {
  player.setVolume(volume);
  try {
    localStorage.setItem(volumeKey, JSON.stringify(volume));
  } catch {
    // Storage is blocked: the volume lasts until the page is left.
  }
}

let sessionTrack: Track | null = null;

function draw(): void {
  const state = player.state();
  const { track } = state;
  element("player").hidden = track === null;
  document.body.classList.toggle("has-player", track !== null);
  if (track?.id !== sessionTrack?.id) showInMediaSession(track);
  sessionTrack = track;
  drawTracks(state);
}
