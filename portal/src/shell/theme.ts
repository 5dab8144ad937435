import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { buttonRoot } from "./button-root.tsx";

/** The accent of buttons and selections. Shade 6 has a contrast of 4.5:1 with white, shade 3 with the dark body. */
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
  components: {
    Button: { defaultProps: { renderRoot: buttonRoot } },
    // Nearly every field is required; optional ones say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // WCAG 1.4.1: a link in a text differs by more than its colour.
    Anchor: { defaultProps: { underline: "always" } },
  },
});

/** Replaces Mantine's colours whose contrast is below WCAG AA. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": "#5b6270",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-teal-light-color": "#066a4b",
    "--mantine-color-green-light-color": "#1f6b30",
    "--mantine-color-orange-light-color": "#9c3606",
    "--mantine-color-yellow-light-color": "#7a4d00",
    "--mantine-color-red-light-color": "#b32222",
    "--mantine-color-teal-text": "#087f5b",
    "--mantine-color-red-text": "#c92a2a",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#a61e1e",
  },
  dark: {
    "--mantine-color-body": "#16171d",
    "--mantine-color-dimmed": "#a4a8b3",
    "--mantine-color-placeholder": "#9297a3",
    "--mantine-color-anchor": "#a797f2",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#a61e1e",
    // Less saturated than Mantine's, for the background of alerts.
    "--mantine-color-red-light": "#3a2022",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-orange-light": "#3a2a1c",
    "--mantine-color-orange-light-color": "#ffc078",
    "--mantine-color-yellow-light": "#37301a",
    "--mantine-color-yellow-light-color": "#ffe066",
    "--mantine-color-teal-light": "#16322b",
    "--mantine-color-teal-light-color": "#63e6be",
    "--mantine-color-blue-light": "#1b2c40",
    "--mantine-color-blue-light-color": "#74c0fc",
  },
});
