import { Switch } from "@mantine/core";
import { useSingleKeys } from "./single-keys.ts";

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
