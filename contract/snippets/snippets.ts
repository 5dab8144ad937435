import type { Call, Connection } from "./call.ts";
import type { Language } from "./language.ts";
import { curlSnippet } from "./languages/curl.ts";
import { goSnippet } from "./languages/go.ts";
import { javascriptSnippet } from "./languages/javascript.ts";
import { phpSnippet } from "./languages/php.ts";
import { pythonSnippet } from "./languages/python.ts";
import { rubySnippet } from "./languages/ruby.ts";

const writers: Record<Language, (call: Call, connection: Connection) => string> = {
  curl: curlSnippet,
  javascript: javascriptSnippet,
  python: pythonSnippet,
  php: phpSnippet,
  ruby: rubySnippet,
  go: goSnippet,
};

/**
 * A complete program (for curl a command line) that makes a call with our client library and prints the important part
 * of the response. It uses the typed method if one fits, else the raw `request`. All values arrive unchanged. Throws a
 * RangeError for an invalid call, or an invalid name of a variable.
 */
export function snippetFor(language: Language, call: Call, connection: Connection): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(connection.keyVariable))
    throw new RangeError(`"${connection.keyVariable}" is not the name of an environment variable.`);
  return writers[language](call, { ...connection, baseUrl: connection.baseUrl.replace(/\/+$/, "") });
}
