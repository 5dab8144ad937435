import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { t } from "../api/locale.ts";

/** Switches between light and dark. Until the first click the portal follows the system. */
export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const other = scheme === "dark" ? "light" : "dark";
  const Icon = scheme === "dark" ? IconSun : IconMoon;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t(other === "dark" ? "shell.useTheDarkScheme" : "shell.useTheLightScheme")}
      title={t(other === "dark" ? "shell.useTheDarkScheme" : "shell.useTheLightScheme")}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={18} />
    </ActionIcon>
  );
}
