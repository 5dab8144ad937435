import { type Call, type Connection, queryString, rawCall } from "../call.ts";
import { visibleJson } from "../source-text.ts";

/** A command line for a POSIX shell. */
export function curlSnippet(call: Call, { baseUrl, keyVariable, caFile }: Connection): string {
  const { method, path, query, headers, body, file } = rawCall(call);
  const lines = [
    ...methodOption(method, body === undefined ? "GET" : "POST"),
    ...(caFile === undefined ? [] : [`--cacert ${quoted(caFile)}`]),
    `--header "Authorization: Bearer $${keyVariable}"`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["--header 'Content-Type: application/json'", `--data ${quoted(visibleJson(body))}`]),
    // A second run resumes an interrupted download. --fail keeps the text of an error out of the file.
    ...(file === undefined
      ? []
      : [`--fail --output ${quoted(file.name)}${file.isResumable ? " --continue-at -" : ""}`]),
    quoted(`${baseUrl}${path}${queryString(query)}`),
  ];
  return `curl ${lines.join(" \\\n  ")}\n`;
}

/** The option for a method, unless curl uses the method by default. */
function methodOption(method: string, defaultMethod: string): string[] {
  if (method === "HEAD") return ["--head"];
  return method === defaultMethod ? [] : [`--request ${method}`];
}

/** One word of a shell, with every special character quoted. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
