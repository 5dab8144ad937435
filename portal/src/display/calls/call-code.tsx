import { Tabs, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { Call, Connection } from "../../../../contract/snippets/call.ts";
import { type Language, languageLabels, snippetFor } from "../../../../contract/snippets/snippets.ts";
import { CopyButton } from "../copy-button.tsx";
import classes from "./call-code.module.css";

const languages = Object.keys(languageLabels) as Language[];

/** A call as a curl command and as code for each client library. Remembers the chosen language. */
export function CallCode({ call, connection }: { call: Call; connection: Connection }) {
  const [chosen, choose] = useLocalStorage<Language>({ key: "beatmarket-language", defaultValue: "curl" });
  return (
    <Tabs value={chosen} onChange={(value) => choose((value ?? "curl") as Language)} keepMounted={false}>
      <Tabs.List aria-label="The call as a program" className={classes.languages}>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {languageLabels[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language}>
          <Snippet text={codeOf(language, call, connection)} language={languageLabels[language]} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/**
 * Null for an invalid method or path, which broken clients do send. A library returns the same objects in either form of the
 * response, by a typed method that reads one of them: only curl asks for the form.
 */
function codeOf(language: Language, call: Call, connection: Connection): string | null {
  try {
    return snippetFor(language, language === "curl" ? call : { ...call, form: undefined }, connection);
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.text} aria-label={`The call in ${language}`} tabIndex={0} dir="ltr">
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy as ${language}`} />
      </div>
    </div>
  );
}
