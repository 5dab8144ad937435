import { join, relative } from "node:path";
import type { Config } from "../config.ts";
import type { Permission } from "../http/permissions.ts";

const pathsToTry: [Permission, string][] = [
  ["beats:read", "/beats"],
  ["genres:read", "/genres"],
  ["producers:read", "/producers"],
  ["search:read", "/search?q=love"],
  ["orders:read", "/orders"],
];

/** A command line that shows a key at work as printed, on a path that its permissions open. */
export function curlLine(config: Config, key: string, permissions: readonly Permission[]): string {
  const path = pathsToTry.find(([permission]) => permissions.includes(permission))?.[1] ?? "/beats";
  const trust = config.tls.mode === "own" ? ` --cacert ${shellWord(caFile(config))}` : "";
  return `curl${trust} -H "Authorization: Bearer ${key}" ${shellWord(`${config.publicUrl}/v1${path}`)}`;
}

/** As short as it can be written from where the program was started. */
function caFile(config: Config): string {
  const absolute = join(config.dataDir, "tls", "ca.pem");
  const fromHere = relative(process.cwd(), absolute);
  return fromHere.startsWith("..") ? absolute : fromHere;
}

const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
