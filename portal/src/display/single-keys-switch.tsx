import { Switch } from "@mantine/core";
import { t } from "../api/locale.ts";
import { useSingleKeys } from "./single-keys.ts";

export function SingleKeysSwitch() {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Switch
      label={t("ui.singleKeyShortcuts")}
      description={t("ui.singleKeyShortcutsHint")}
      checked={isOn}
      onChange={({ currentTarget }) => setOn(currentTarget.checked)}
    />
  );
}
