import { useLocalStorage } from "@mantine/hooks";

/** Whether a shortcut may be a single letter or sign (WCAG 2.1.4). The browser stores the setting. */
export const useSingleKeys = () =>
  useLocalStorage<boolean>({
    key: "beatmarket-single-keys",
    defaultValue: true,
    getInitialValueInEffect: false,
    deserialize: (value) => value !== "off",
    serialize: (value) => (value ? "on" : "off"),
  });

/** Whether a key types a letter or a sign. */
export const isSingleKey = (key: string): boolean => /^[!-~]$/.test(key);
