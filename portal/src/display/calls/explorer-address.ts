import type { Call } from "../../../../contract/snippets/call.ts";

/** The search parameters that open a call in the explorer: the operation, and each set parameter under its own name. */
export const explorerAddress = ({ operationId = "", parameters, query }: Call): Record<string, string> => ({
  operation: operationId,
  ...Object.fromEntries(
    Object.entries({ ...parameters, ...query })
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  ),
});
