import { type Command, InvalidArgumentError } from "commander";
import { clientOf } from "../api.ts";
import { print, type Run, showResponse } from "../run.ts";
import { parseJson } from "../values.ts";

interface RequestOptions {
  query?: Record<string, string>;
  header?: Record<string, string>;
  body?: unknown;
}

/** `request METHOD PATH`: sends any request, for operations without a command. */
export function requestCommand(program: Command, run: Run): void {
  const command = program
    .command("request")
    .summary("Send any request of the API.")
    .description(
      "Send any request below /v1 with the key, retries and errors of other commands. Prints the body as JSON.",
    )
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "the path below /v1, such as /beats/1")
    .option("--query <name=value>", "a parameter; may be repeated", pairOf("="))
    .option("--header <name:value>", "a header; may be repeated", pairOf(":"))
    .option("--body <json>", "JSON, @file, or - for standard input", parseJson);
  command.action((method: string, path: string, { query, header: headers, body }: RequestOptions) =>
    run(command, async (globals) => {
      const response = await clientOf(globals, process.env).request(method, path, { query, headers, body });
      showResponse(response, globals);
      print(JSON.stringify(response.body));
    }),
  );
}

const pairOf =
  (separator: string) =>
  (text: string, before: Record<string, string> = {}): Record<string, string> => {
    const separatorIndex = text.indexOf(separator);
    if (separatorIndex < 1) throw new InvalidArgumentError(`It takes a name, ${separator} and a value.`);
    return { ...before, [text.slice(0, separatorIndex).trim()]: text.slice(separatorIndex + 1).trim() };
  };
