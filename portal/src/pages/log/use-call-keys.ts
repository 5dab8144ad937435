import { useEffect, useEffectEvent } from "react";
import { isSingleKey, useSingleKeys } from "../../display/single-keys.ts";

const steps: Record<string, -1 | 1> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Elements that handle letters and arrow keys themselves. */
const controls =
  "input, textarea, select, [contenteditable], [role=slider], [role=menu], [role=listbox], [role=tablist], [role=dialog]";

/**
 * Keys of the log: j and k, anywhere but where text is typed and unless single keys are off, and the arrow keys on a row of the list, go to the next call and
 * the one before. Escape closes the open one.
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
    // Elsewhere the arrow keys scroll.
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
