import { Code } from "@mantine/core";

/** Text from elsewhere as it is: never markup, wrapped, left to right whatever it holds, scrolling inside its own frame. */
export function ForeignText({ text, label, maxHeight = 320 }: { text: string; label: string; maxHeight?: number }) {
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
