import { Tabs, Text } from "@mantine/core";
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
          <Snippet text={written(its, call, connection)} language={languageLabels[its]} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Null for a call that cannot be written: a method or path that is none, as some broken programs send. */
function written(language: Language, call: Call, connection: Connection): string | null {
  try {
    return snippetFor(language, call, connection);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function Snippet({ text, language }: { text: string | null; language: string }) {
  if (text === null)
    return (
      <Text size="sm" c="dimmed" p="sm">
        This call cannot be written in {language}.
      </Text>
    );
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className={classes.text} aria-label={`The call in ${language}`} tabIndex={0} dir="ltr">
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy as ${language}`} />
      </div>
    </div>
  );
}
