import { Code } from "@mantine/core";

/**
 * Shows text from outside the portal verbatim, not as markup. The text is left to right, and wraps and scrolls in a
 * box.
 */
export function UntrustedText({ text, label, maxHeight = 320 }: { text: string; label: string; maxHeight?: number }) {
  return (
    <Code
      block
      dir="ltr"
      tabIndex={0}
      role="region"
      aria-label={label}
      mah={maxHeight}
      style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere", unicodeBidi: "isolate" }}
    >
      {text}
    </Code>
  );
}
