import { useEffect } from "react";
import type { Beat } from "../../../api/catalogue.ts";
import { player, trackOf } from "../../../display/player/use-player.ts";
import { isSingleKey, useSingleKeys } from "../../../display/single-keys.ts";

/** Whether the focused element handles keys itself: a field, a button, a menu, a dialog. */
const takesKeys = (element: Element): boolean =>
  element.closest("input, textarea, select, button, [role=dialog], [role=listbox], [role=menu], [contenteditable]") !==
  null;

/**
 * `/` focuses the search unless single keys are off, and arrows move between beats. Space plays or pauses the focused
 * beat; if no beat has the focus, the current track, or else the first beat.
 */
export function useResultKeys(beats: readonly Beat[]): void {
  const [areSingleOn] = useSingleKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(target)) return;
      if (isSingleKey(event.key) && !areSingleOn) return;
      const isDone = handleKey(event.key, target, beats);
      if (isDone) event.preventDefault();
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [beats, areSingleOn]);
}

function handleKey(key: string, target: Element, beats: readonly Beat[]): boolean {
  if (key === "/") {
    document.getElementById("catalogue-search")?.focus();
    return true;
  }
  const cards = [...document.querySelectorAll<HTMLElement>("[data-beat]")];
  const index = cards.findIndex((each) => each.contains(target));
  if (index < 0 && target.closest("a, [tabindex='0']") !== null) return false;
  if (key === " ") return playAt(index, beats);
  const steps = stepsOf(cards);
  const stepByKey: Readonly<Record<string, number>> = {
    ArrowDown: steps,
    ArrowUp: -steps,
    ArrowRight: 1,
    ArrowLeft: -1,
  };
  const step = stepByKey[key];
  if (step === undefined) return false;
  const first = step > 0 ? 0 : -1;
  const next = index < 0 ? first : index + step;
  const link = cards[next]?.querySelector("a");
  link?.focus();
  return link !== undefined && link !== null;
}

/** The number of beats in a row: one in a list. */
function stepsOf(cards: readonly HTMLElement[]): number {
  const top = cards[0]?.offsetTop;
  const below = cards.findIndex(({ offsetTop }) => offsetTop !== top);
  return below < 1 ? cards.length : below;
}

function playAt(index: number, beats: readonly Beat[]): boolean {
  const { track } = player.state();
  const beat = beats[index] ?? (track === null ? beats[0] : undefined);
  if (beat !== undefined) player.toggle(trackOf(beat), beats.map(trackOf));
  else player.toggleCurrent();
  return beat !== undefined || track !== null;
}
