const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The shortcut's name on this machine's keyboard. */
export const shortcut = (): string => (isApple() ? "⌘ K" : "Ctrl K");

/** Ctrl-K; on a Mac Cmd-K, since Ctrl-K deletes to the end of a line there. */
export const isSearchKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && !altKey && !shiftKey && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey);
