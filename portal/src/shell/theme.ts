import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** The one accent: what can be pressed, what is chosen. Shade 6 keeps 4.5:1 under white, shade 3 on the dark body. */
const violet: MantineColorsTuple = [
  "#f1eefe",
  "#dfd9fb",
  "#c3b8f6",
  "#a797f2",
  "#8a76ec",
  "#7059e3",
  "#5b3fd6",
  "#4c33b8",
  "#3f2a99",
  "#32217a",
];

export const theme = createTheme({
  primaryColor: "violet",
  primaryShade: { light: 6, dark: 5 },
  colors: { violet },
  defaultRadius: "md",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
});
