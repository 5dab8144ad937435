import { useEffect, useEffectEvent } from "react";
import { isSingleKey, useSingleKeys } from "../../display/single-keys.ts";

const steps: Record<string, -1 | 1> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Elements that handle letters and arrow keys themselves. */
const controls =
  "input, textarea, select, [contenteditable], [role=slider], [role=menu], [role=listbox], [role=tablist], [role=dialog]";

/**
 * The keyboard shortcuts of the log. j and k, and the arrow keys on a row, call `move`, which returns whether it moved.
 * Escape calls `close`. Keys in text fields and other controls are ignored, and j and k also if single-key shortcuts
 * are off.
 */
export function useCallKeys(
  list: React.RefObject<HTMLElement | null>,
  move: (step: -1 | 1) => boolean,
  close: () => void,
) {
  const [areSingleOn] = useSingleKeys();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isSingleKey(event.key) && !areSingleOn) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest(controls) !== null) return;
    if (event.key === "Escape") close();
    const step = steps[event.key];
    if (step === undefined) return;
    // Outside the list's rows the arrow keys scroll the page.
    if (event.key.startsWith("Arrow") && !(target instanceof HTMLAnchorElement && list.current?.contains(target)))
      return;
    if (move(step)) event.preventDefault();
  });
  useEffect(() => {
    // Runs before the list's own handler, which only moves the focus.
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}
