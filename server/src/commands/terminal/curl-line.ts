import { join, relative } from "node:path";
import type { Config } from "../../config.ts";
import { shellWord } from "../../shell-word.ts";

/** A command line that calls the server on this machine and works as printed; `path` is below the base address. */
export function curlLine(config: Config, key: string, path: string): string {
  const isHere = /^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(config.host);
  const host = isHere ? "localhost" : config.host.includes(":") ? `[${config.host}]` : config.host;
  const words = ["curl"];
  if (config.tls.mode === "own") words.push("--cacert", shellWord(caFile(config)));
  if (config.tls.mode === "off") words.push("-H", shellWord("X-Forwarded-Proto: https"));
  words.push("-H", shellWord(`Authorization: Bearer ${key}`));
  words.push(shellWord(`${config.tls.mode === "off" ? "http" : "https"}://${host}:${config.port}/v1${path}`));
  return words.join(" ");
}

/** As short as it can be written from where the program was started. */
function caFile({ dataDir }: Config): string {
  const absolute = join(dataDir, "tls", "ca.pem");
  const fromHere = relative(process.cwd(), absolute);
  return fromHere.startsWith("..") ? absolute : fromHere;
}
