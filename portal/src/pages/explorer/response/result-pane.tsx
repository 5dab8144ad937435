import { Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../../contract/snippets/call.ts";
import { keyVariable } from "../../../../../contract/snippets/key-variable.ts";
import type { Language } from "../../../../../contract/snippets/language.ts";
import { sessionQuery } from "../../../api/session.ts";
import { CallCode } from "../../../display/calls/call-code.tsx";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import type { ApiResponse } from "../call/send-call.ts";
import type { Pane } from "../explorer-search.ts";
import { HeaderTable } from "./header-table.tsx";
import { ResponseView } from "./response-view.tsx";
import classes from "./result-pane.module.css";

interface ResultPaneProps {
  call: Call;
  /** The response; null before the first call. */
  response: ApiResponse | null;
  isSending: boolean;
  /** The reason for a missing response; null without an error. */
  error: Error | null;
  pane: Pane;
  /** The language of the code; undefined means the last chosen one. */
  language: Language | undefined;
  onPane: (pane: Pane) => void;
  onLanguage: (language: Language) => void;
}

/** The pane next to the form: the call as code, and its response. */
export function ResultPane({ call, response, isSending, error, pane, language, onPane, onLanguage }: ResultPaneProps) {
  const { data: session } = useQuery(sessionQuery);
  const connection = { baseUrl: session?.base_url ?? "", keyVariable, caFile: session?.ca_file ?? undefined };
  return (
    <Tabs value={pane} onChange={(tab) => tab !== null && onPane(tab as Pane)} className={classes.tabs ?? ""}>
      <Tabs.List aria-label="Code and response" className={classes.list ?? ""}>
        <Tabs.Tab value="code">Code</Tabs.Tab>
        <Tabs.Tab value="response" rightSection={response !== null && <StatusBadge status={response.status} />}>
          Response
        </Tabs.Tab>
        <Tabs.Tab value="headers">
          Headers
          {response !== null && (
            <Text span inherit c="dimmed">
              {" "}
              {response.headers.length}
            </Text>
          )}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="code" className={classes.panel ?? ""}>
        <CallCode call={call} connection={connection} language={language} onLanguage={onLanguage} />
      </Tabs.Panel>
      <Tabs.Panel value="response" className={classes.panel ?? ""}>
        <section className={classes.padded} aria-label="Response" aria-busy={isSending}>
          {error !== null && <ErrorAlert error={error} />}
          {response === null && error === null && <Nothing />}
          {response !== null && <ResponseView response={response} />}
        </section>
      </Tabs.Panel>
      <Tabs.Panel value="headers" className={classes.panel ?? ""}>
        <div className={classes.padded}>
          {response === null ? <Nothing /> : <HeaderTable headers={response.headers} />}
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}

const Nothing = () => (
  <Text size="sm" c="dimmed">
    Press Send to see the response here.
  </Text>
);
