import { Tabs } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { Call, Connection } from "../../../contract/snippets/call.ts";
import { type Language, languageLabels, snippetFor } from "../../../contract/snippets/snippets.ts";
import classes from "./call-code.module.css";
import { CopyButton } from "./copy-button.tsx";

const languages = Object.keys(languageLabels) as Language[];

/** A call as a command line and as a program in each client library's language; the choice is kept. */
export function CallCode({ call, connection }: { call: Call; connection: Connection }) {
  const [language, choose] = useLocalStorage<Language>({ key: "beatmarket-language", defaultValue: "curl" });
  return (
    <Tabs value={language} onChange={(value) => choose((value ?? "curl") as Language)} keepMounted={false}>
      <Tabs.List aria-label="The call as a program" className={classes.languages}>
        {languages.map((its) => (
          <Tabs.Tab key={its} value={its}>
            {languageLabels[its]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((its) => (
        <Tabs.Panel key={its} value={its}>
          <Snippet text={snippetFor(its, call, connection)} language={languageLabels[its]} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Snippet({ text, language }: { text: string; language: string }) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        {text}
      </pre>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy as ${language}`} />
      </div>
    </div>
  );
}
