import { type ReactNode, useEffect, useState } from "react";
import { CopyButton } from "../copy-button.tsx";
import classes from "./code.module.css";
import { highlight } from "./highlight.ts";
import type { CodeLanguage, Token } from "./token.ts";

interface CodeProps {
  text: string;
  language: CodeLanguage;
  /** Names the region: "The call in Python". */
  label: string;
  /** Of the button that copies: "Copy as Python". */
  copyLabel: string;
}

/** Code in colours, in a region that scrolls, with a button that copies it. Plain until its highlighter has loaded. */
export function Code({ text, language, label, copyLabel }: CodeProps) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.text} aria-label={label} tabIndex={0} dir="ltr">
        <pre>
          <Highlighted text={text} language={language} />
        </pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={text} label={copyLabel} />
      </div>
    </div>
  );
}

/** Longer texts stay plain: colours would take longer than reading them is worth. */
const maxLength = 30_000;

function Highlighted({ text, language }: { text: string; language: CodeLanguage }): ReactNode {
  const [highlighted, setHighlighted] = useState<{ text: string; lines: Token[][] } | null>(null);
  useEffect(() => {
    if (text.length > maxLength) return undefined;
    let isCurrent = true;
    highlight(text, language).then(
      (lines) => isCurrent && setHighlighted({ text, lines }),
      // Without a connection the text stays plain.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  if (highlighted?.text !== text) return text;
  return highlighted.lines.map((line, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines and tokens are told apart by their place
    <span key={number}>
      {line.map(({ content, color }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines and tokens are told apart by their place
        <span key={index} {...(color !== undefined && { style: { color } })}>
          {content}
        </span>
      ))}
      {number < highlighted.lines.length - 1 && "\n"}
    </span>
  ));
}
