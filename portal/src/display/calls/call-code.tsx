import { Tabs, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { Call, Connection } from "../../../../contract/snippets/call.ts";
import { installLine } from "../../../../contract/snippets/install.ts";
import { type Language, languageLabels } from "../../../../contract/snippets/language.ts";
import { snippetFor } from "../../../../contract/snippets/snippets.ts";
import { codeLanguage } from "../../../../contract/snippets/tokens.ts";
import { Code } from "../code/code.tsx";
import classes from "./call-code.module.css";

const languages = Object.keys(languageLabels) as Language[];

interface CallCodeProps {
  call: Call;
  connection: Connection;
  /** The language in the page's address. The default is the last chosen one. */
  language?: Language | undefined;
  onLanguage?: (language: Language) => void;
}

/** A call as a curl command and as code for each client library. Remembers the chosen language. */
export function CallCode({ call, connection, language: initialLanguage, onLanguage }: CallCodeProps) {
  const [lastLanguage, choose] = useLocalStorage<Language>({ key: "beatmarket-language", defaultValue: "curl" });
  const change = (value: string | null) => {
    const language = (value ?? "curl") as Language;
    choose(language);
    onLanguage?.(language);
  };
  return (
    <Tabs value={initialLanguage ?? lastLanguage} onChange={change} keepMounted={false}>
      <Tabs.List aria-label="The call as a program" className={classes.languages}>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {languageLabels[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language}>
          <Installation line={installLine(language, connection)} language={language} />
          <Snippet text={codeOf(language, call, connection)} language={language} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/**
 * The code of a call; null for an invalid method or path, which broken clients may send. A library returns the same
 * objects for both response forms, so only the curl command names the form.
 */
function codeOf(language: Language, call: Call, connection: Connection): string | null {
  try {
    return snippetFor(language, language === "curl" ? call : { ...call, form: undefined }, connection);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** How to install the library that the code below needs. */
function Installation({ line, language }: { line: string | undefined; language: Language }) {
  if (line === undefined) return null;
  const name = languageLabels[language];
  return (
    <Code text={line} language="shell" label={`Installing ${name}`} copyLabel={`Copy the installation of ${name}`} />
  );
}

function Snippet({ text, language }: { text: string | null; language: Language }) {
  if (text === null)
    return (
      <Text size="sm" c="dimmed" p="sm">
        This call cannot be written in {languageLabels[language]}.
      </Text>
    );
  const name = languageLabels[language];
  return (
    <Code text={text} language={codeLanguage(language)} label={`The call in ${name}`} copyLabel={`Copy as ${name}`} />
  );
}
