import { Box, Tabs, Text } from "@mantine/core";
import type { Call } from "../../../../contract/snippets/call.ts";
import { type Language, languageLabels, snippetFor } from "../../../../contract/snippets/snippets.ts";
import { CopyButton } from "../../display/copy-button.tsx";
import { ForeignText } from "../webhooks/foreign-text.tsx";
import type { CallDetail } from "./call-view.tsx";

const languages = Object.keys(languageLabels) as Language[];
const keyVariable = "BEATMARKET_API_KEY";

/** A logged call as a command line and as a program in each client's language. */
export function CallSnippets({ call, baseUrl }: { call: CallDetail; baseUrl: string }) {
  const its = callOf(call);
  return (
    <Tabs defaultValue="curl" keepMounted={false} styles={{ tab: { paddingInline: 10 } }}>
      <Tabs.List aria-label="Language">
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {languageLabels[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          <Snippet language={language} call={its} baseUrl={baseUrl} />
        </Tabs.Panel>
      ))}
      <Text size="xs" c="dimmed" mt={6}>
        The key is read from {keyVariable}; the log never holds it.
      </Text>
    </Tabs>
  );
}

function Snippet({ language, call, baseUrl }: { language: Language; call: Call; baseUrl: string }) {
  const text = written(language, call, baseUrl);
  if (text === null)
    return (
      <Text size="sm" c="dimmed">
        This call cannot be written in {languageLabels[language]}.
      </Text>
    );
  return (
    <Box pos="relative">
      <ForeignText text={text} label={`The call in ${languageLabels[language]}`} maxHeight={360} />
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={text} label={`Copy as ${languageLabels[language]}`} />
      </Box>
    </Box>
  );
}

function written(language: Language, call: Call, baseUrl: string): string | null {
  try {
    return snippetFor(language, call, { baseUrl, keyVariable });
  } catch (error) {
    // A method or path that is none, as some broken clients send.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const consoleType = "application/vnd.beatmarket.console+json";

/** The call as snippets take it. The key is none of what was sent, so it is none of this. */
function callOf({ method, path, query, body, headers }: CallDetail): Call {
  const header = (name: string) => headers.find((its) => its.name === name)?.value;
  return {
    method,
    path: path.replace(/^(\/api)?\/v1(?=\/|$)/, "") || "/",
    query: Object.fromEntries(new URLSearchParams(query)),
    body: parsed(body),
    idempotencyKey: header("idempotency-key"),
    form: header("accept")?.includes(consoleType) === true ? "console" : undefined,
  };
}

function parsed(body: string | null): Call["body"] {
  try {
    return body === null ? undefined : JSON.parse(body);
  } catch {
    return body ?? undefined;
  }
}
