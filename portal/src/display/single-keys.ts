import { useLocalStorage } from "@mantine/hooks";

/** The setting whether single letters and signs are shortcuts (WCAG 2.1.4). The browser stores it. */
export const useSingleKeys = () =>
  useLocalStorage<boolean>({
    key: "beatmarket-single-keys",
    defaultValue: true,
    getInitialValueInEffect: false,
    deserialize: (value) => value !== "off",
    serialize: (value) => (value ? "on" : "off"),
  });

/** Whether a key types a visible ASCII character. */
export const isSingleKey = (key: string): boolean => /^[!-~]$/.test(key);
