import { Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../contract/snippets/call.ts";
import type { components } from "../../api/paths.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/call-code.tsx";

type CallDetail = components["schemas"]["LoggedCallDetail"];

const keyVariable = "BEATMARKET_API_KEY";

/** A logged call as a command line and as a program in each client's language. */
export function CallSnippets({ call }: { call: CallDetail }) {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined };
  return (
    <>
      <Paper withBorder>
        <CallCode call={callOf(call)} connection={connection} />
      </Paper>
      <Text size="xs" c="dimmed" mt={6}>
        The key is read from {keyVariable}; the log never holds it.
      </Text>
    </>
  );
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
