import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { buttonRoot } from "./button-root.tsx";

// The design system. portal/DESIGN.md describes its use. Colours are steps in OKLCH with hues from 285 to 293.

/** The accent colour of actions and selections. Contrast: white on shade 6 is 6:1, shade 3 on the dark body 8.4:1. */
const violet: MantineColorsTuple = [
  "#f3f1ff",
  "#e5e0ff",
  "#cec4ff",
  "#b5a5ff",
  "#9981fb",
  "#7f61f3",
  "#6840e8",
  "#5430c6",
  "#41259d",
  "#2e1b72",
];

/** The ramp of greys, with a trace of the accent's hue: text, lines and surfaces in light. */
const gray: MantineColorsTuple = [
  "#fbfbfd",
  "#f5f4f8",
  "#ecebf0",
  "#dfdee4",
  "#cac9d1",
  "#a5a3ad",
  "#75737e",
  "#585663",
  "#3d3b47",
  "#1f1e28",
];

/** The ramp of greys in dark, from text to the deepest surface. */
const dark: MantineColorsTuple = [
  "#e8e7ec",
  "#bebdc4",
  "#9a99a2",
  "#5e5c67",
  "#3b3945",
  "#2f2d38",
  "#211f28",
  "#17161e",
  "#100e15",
  "#09080e",
];

const sans = '"Geist Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export const theme = createTheme({
  primaryColor: "violet",
  primaryShade: 6,
  colors: { violet, gray, dark },
  black: "#1f1e28",
  defaultRadius: "md",
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "16px" },
  // Steps of 4 px.
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  fontFamily: sans,
  fontFamilyMonospace:
    '"Geist Mono Variable", ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "20px", md: "20px", lg: "24px", xl: "28px" },
  headings: {
    fontFamily: sans,
    fontWeight: "600",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "28px", lineHeight: "36px" },
      h2: { fontSize: "22px", lineHeight: "28px" },
      h3: { fontSize: "16px", lineHeight: "24px" },
      h4: { fontSize: "14px", lineHeight: "20px" },
      h5: { fontSize: "13px", lineHeight: "20px" },
      h6: { fontSize: "12px", lineHeight: "16px" },
    },
  },
  shadows: { xs: "var(--elevation-1)", sm: "var(--elevation-1)", md: "var(--elevation-2)", xl: "var(--elevation-3)" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { renderRoot: buttonRoot } },
    // Nearly every field is required, so only optional fields are marked.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // WCAG 1.4.1: a link in a text must differ by more than its colour.
    Anchor: { defaultProps: { underline: "always" } },
    Table: { defaultProps: { fz: "sm", verticalSpacing: 6 } },
    // The browser scrolls tables. native-scroll.ts removes Mantine's scroll area from the build.
    TableScrollContainer: { defaultProps: { type: "native" } },
    Modal: { defaultProps: { shadow: "xl" }, styles: { title: { fontWeight: 600 } } },
    Drawer: { defaultProps: { shadow: "xl" }, styles: { title: { fontWeight: 600 } } },
    // A dialog's header must not be a banner landmark of the document.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Menu: { defaultProps: { shadow: "md" } },
    Popover: { defaultProps: { shadow: "md" } },
  },
});

/** Colours by meaning. Text has WCAG AA contrast on every surface where it is used. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--surface-sunken": "#f5f4f8",
    "--line": "#e6e5eb",
    "--line-strong": "#cac9d1",
    "--elevation-1": "0 1px 2px rgb(31 30 40 / 6%)",
    "--elevation-2": "0 2px 4px rgb(31 30 40 / 6%), 0 8px 20px rgb(31 30 40 / 10%)",
    "--elevation-3": "0 4px 8px rgb(31 30 40 / 8%), 0 24px 56px rgb(31 30 40 / 20%)",
    "--mantine-color-default-border": "#dfdee4",
    "--mantine-color-dimmed": "#585663",
    "--mantine-color-placeholder": "#6d6b77",
    "--mantine-color-error": "#c02626",
    "--mantine-color-teal-light-color": "#066a4b",
    "--mantine-color-green-light-color": "#1f6b30",
    "--mantine-color-orange-light-color": "#9c3606",
    "--mantine-color-yellow-light-color": "#7a4d00",
    "--mantine-color-red-light-color": "#b32222",
    "--mantine-color-teal-text": "#087f5b",
    "--mantine-color-red-text": "#c02626",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#a61e1e",
  },
  dark: {
    "--mantine-color-body": "#17161e",
    "--surface-sunken": "#100e15",
    "--line": "#2f2d38",
    "--line-strong": "#4b4955",
    "--elevation-1": "0 1px 2px rgb(0 0 0 / 40%)",
    "--elevation-2": "0 0 0 1px #2f2d38, 0 8px 20px rgb(0 0 0 / 50%)",
    "--elevation-3": "0 0 0 1px #2f2d38, 0 24px 56px rgb(0 0 0 / 65%)",
    "--mantine-color-default-border": "#3b3945",
    "--mantine-color-dimmed": "#a3a2ab",
    "--mantine-color-placeholder": "#92919a",
    "--mantine-color-anchor": "#b5a5ff",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#a61e1e",
    // The background of alerts, less saturated than Mantine's.
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
