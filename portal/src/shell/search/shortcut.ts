const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of the search shortcut on this platform. */
export const shortcut = (): string => (isApple() ? "⌘ K" : "Ctrl K");

/** Whether a key event is Ctrl-K, or Cmd-K on a Mac, where Ctrl-K deletes to the end of the line. */
export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "k" || altKey || shiftKey) return false;
  return isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}
