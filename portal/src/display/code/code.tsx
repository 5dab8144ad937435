import { memo, type ReactNode } from "react";
import { type CodeLanguage, type TokenKind, tokensOf } from "../../../../contract/snippets/tokens.ts";
import { CopyButton } from "../copy-button.tsx";
import classes from "./code.module.css";

interface CodeProps {
  text: string;
  language: CodeLanguage;
  /** Names the region: "The call in Python". */
  label: string;
  /** The label of the copy button: "Copy as Python". */
  copyLabel: string;
}

/** Code in colours, in a region that scrolls, with a button that copies it. */
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

/** Longer texts are not coloured, because colouring would take too long. */
const maxLength = 30_000;

/** The end of the CSS variable's name for each kind of token. Shiki uses the same variables for the guides. */
const colors: Readonly<Record<TokenKind, string>> = {
  string: "string-expression",
  comment: "comment",
  name: "function",
  keyword: "keyword",
  variable: "parameter",
  number: "constant",
};

const Highlighted = memo(({ text, language }: { text: string; language: CodeLanguage }): ReactNode => {
  if (text.length > maxLength) return text;
  return tokensOf(text, language).map(({ text: content, kind }, index) =>
    kind === null ? (
      content
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens are distinguished by their place
      <span key={index} style={{ color: `var(--shiki-token-${colors[kind]})` }}>
        {content}
      </span>
    ),
  );
});
