import { Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../../../contract/snippets/call.ts";
import { sessionQuery } from "../../api/session.ts";
import { CallCode } from "../../display/call-code.tsx";

/** The call in the form as a command line and as programs, following what is typed. */
export function CodePanel({ call }: { call: Call }) {
  const { data: session } = useQuery(sessionQuery);
  const connection = {
    baseUrl: session?.base_url ?? "",
    keyVariable: "BEATMARKET_API_KEY",
    caFile: session?.ca_file ?? undefined,
  };
  return (
    <Paper withBorder>
      <CallCode call={call} connection={connection} />
    </Paper>
  );
}
