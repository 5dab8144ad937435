import { createHash } from "node:crypto";
import { type ArchivedFile, zip } from "./archives.ts";

/**
 * Creates a pure Python wheel like hatchling (PEP 427, core metadata 2.4).
 * @param pyproject the text of pyproject.toml
 * @param files the files of the package; their paths are relative to the folder from which Python imports it
 * @param license the license file that pyproject names
 */
export function wheel(
  pyproject: string,
  version: string,
  { files, readme, license }: { files: readonly ArchivedFile[]; readme: string; license: Buffer },
): Promise<Buffer> {
  const info = `beatmarket-${version}.dist-info`;
  const entries = [
    ...files,
    { path: `${info}/METADATA`, content: Buffer.from(`${metadata(pyproject, version)}\n${readme}`) },
    { path: `${info}/WHEEL`, content: Buffer.from(wheelFormat) },
    { path: `${info}/licenses/LICENSE`, content: license },
  ];
  const record = [...entries.map(recorded), `${info}/RECORD,,`].map((line) => `${line}\n`).join("");
  return zip([...entries, { path: `${info}/RECORD`, content: Buffer.from(record) }]);
}

const wheelFormat = `Wheel-Version: 1.0
Generator: beatmarket
Root-Is-Purelib: true
Tag: py3-none-any
`;

const recorded = ({ path, content }: ArchivedFile): string =>
  `${path},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}`;

function metadata(pyproject: string, version: string): string {
  const project = section(pyproject, "project");
  const urls = section(pyproject, "project.urls");
  const text = (name: string): string => String(project[name] ?? missing(name));
  const texts = (name: string): string[] => (project[name] ?? missing(name)) as string[];
  const [author] = /authors = \[\{ name = "(.+?)" \}\]/.exec(pyproject)?.slice(1) ?? missing("authors");
  const fields: [name: string, value: string][] = [
    ["Metadata-Version", "2.4"],
    ["Name", text("name")],
    ["Version", version],
    ["Summary", text("description")],
    ...Object.entries(urls).map(([label, address]): [string, string] => ["Project-URL", `${label}, ${address}`]),
    ["Author", author ?? ""],
    ["License-Expression", text("license")],
    ["License-File", "LICENSE"],
    ["Keywords", texts("keywords").join(",")],
    ...texts("classifiers").map((classifier): [string, string] => ["Classifier", classifier]),
    ["Requires-Python", text("requires-python")],
    ...texts("dependencies").map((dependency): [string, string] => ["Requires-Dist", dependency]),
    ["Description-Content-Type", "text/markdown"],
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join("");
}

/** The strings and lists of strings of a TOML table. Ignores other values. */
function section(toml: string, name: string): Record<string, unknown> {
  const [, body = ""] = toml.split(`[${name}]\n`);
  const [tableBody = ""] = body.split(/^\[/m);
  const values = tableBody.matchAll(/^([\w-]+) = ("[^"]*"|\[(?:\s*"[^"]*",?)*\s*\])$/gm);
  return Object.fromEntries([...values].map(([, key, value = ""]) => [key, JSON.parse(value.replace(/,\s*\]$/, "]"))]));
}

function missing(name: string): never {
  throw new Error(`pyproject.toml has no ${name}, or in a form that clients/packages/wheel.ts does not read.`);
}
