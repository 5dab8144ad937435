const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** As the keyboard of this machine has it. */
export const shortcut = (): string => (isApple() ? "⌘ K" : "Ctrl K");

/** Ctrl-K; on a Mac Cmd-K, since Ctrl-K deletes to the end of a line there. */
export const isSearchKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && !altKey && !shiftKey && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey);
