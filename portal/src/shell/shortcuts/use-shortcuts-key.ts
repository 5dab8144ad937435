import { useEffect } from "react";
import { useSingleKeys } from "../../display/single-keys.ts";

/** Elements that prevent the shortcut: text fields, where a question mark is text, and open dialogs. */
const elsewhere =
  "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog, [role=dialog]";

/**
 * Opens the sheet of shortcuts when `?` is pressed, unless single-key shortcuts are off. `open` must be the same
 * function on every render.
 */
export function useShortcutsKey(open: () => void): void {
  const [isOn] = useSingleKeys();
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(elsewhere) !== null) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [open, isOn]);
}
