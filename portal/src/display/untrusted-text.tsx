import { Code } from "@mantine/core";

/** Text from outside the portal, verbatim: never markup, left to right, wrapped, scrolling in its own box. */
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
