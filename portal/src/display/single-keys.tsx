import { Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";

/** Whether a shortcut may be one letter or sign alone (WCAG 2.1.4), which the browser keeps, and how to change that. */
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

export function SingleKeysSwitch() {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Switch
      label="Shortcuts of a single letter or sign"
      description="?, /, J and K. Without them, nothing happens when you dictate, or touch a key by accident. This browser remembers it."
      checked={isOn}
      onChange={({ currentTarget }) => setOn(currentTarget.checked)}
    />
  );
}
