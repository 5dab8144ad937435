import { useLocalStorage } from "@mantine/hooks";

/** Whether a shortcut may be one letter or sign alone (WCAG 2.1.4), which the browser keeps. */
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
