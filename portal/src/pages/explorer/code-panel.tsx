import { Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../contract/snippets/call.ts";
import { keyVariable } from "../../../../contract/snippets/key-variable.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/calls/call-code.tsx";

/** The call of the form as a curl command and as code, updated with every keystroke. */
export function CodePanel({ call }: { call: Call }) {
  const { data: session } = useQuery(sessionQuery);
  const connection = {
    baseUrl: session?.base_url ?? "",
    keyVariable,
    caFile: session?.ca_file ?? undefined,
  };
  return (
    <Paper withBorder>
      <CallCode call={call} connection={connection} />
    </Paper>
  );
}
