import { Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../../contract/snippets/call.ts";
import { keyVariable } from "../../../../../contract/snippets/key-variable.ts";
import type { LoggedCallDetail } from "../../../api/calls.ts";
import { sessionQuery } from "../../../api/session.ts";
import { CallCode } from "../../../display/calls/call-code.tsx";

/** A logged call as a curl command and as code for each client library. */
export function CallSnippets({ call }: { call: LoggedCallDetail }) {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return null;
  const connection = { baseUrl: session.base_url, keyVariable, caFile: session.ca_file ?? undefined };
  return (
    <>
      <Paper withBorder>
        <CallCode call={callOf(call)} connection={connection} />
      </Paper>
      <Text size="xs" c="dimmed" mt="xs">
        The key is read from {keyVariable}; the log never contains it.
      </Text>
    </>
  );
}

const consoleType = "application/vnd.beatmarket.console+json";

/** The call in the form that the snippets need, without the key, which the log does not contain. */
function callOf({ method, path, query, body, headers }: LoggedCallDetail): Call {
  const header = (name: string) => headers.find((each) => each.name === name)?.value;
  return {
    method,
    path: path.replace(/^(\/api)?\/v1(?=\/|$)/, "") || "/",
    query: Object.fromEntries(new URLSearchParams(query)),
    body: parseBody(body),
    idempotencyKey: header("idempotency-key"),
    version: header("beat-version"),
    form: header("accept")?.includes(consoleType) === true ? "console" : undefined,
  };
}

function parseBody(body: string | null): Call["body"] {
  try {
    return body === null ? undefined : JSON.parse(body);
  } catch {
    return body ?? undefined;
  }
}
