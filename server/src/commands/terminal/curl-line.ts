import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";
import { caFilePath } from "@beatmarket/http/tls/ca-file.ts";
import type { Config } from "../../config.ts";

/** A curl command that calls the server from this machine. `path` is relative to the base address. */
export function curlLine(config: Config, key: string, path: string): string {
  const isLocal = /^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(config.host);
  const host = isLocal ? "localhost" : config.host.includes(":") ? `[${config.host}]` : config.host;
  const words = ["curl"];
  if (config.tls.mode === "own") words.push("--cacert", shellWord(caFilePath(config.dataDir)));
  if (config.tls.mode === "off") words.push("-H", shellWord("X-Forwarded-Proto: https"));
  words.push("-H", shellWord(`Authorization: Bearer ${key}`));
  words.push(shellWord(`${config.tls.mode === "off" ? "http" : "https"}://${host}:${config.port}/v1${path}`));
  return words.join(" ");
}
