import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type ArchivedFile, tar } from "./archives.ts";

/**
 * Creates a gem like `gem build`: the files, the metadata of the gemspec, and checksums of both.
 * @param gemspec the text of beatmarket.gemspec, whose fields are strings or lists of strings
 */
export function gem(gemspec: string, version: string, files: readonly ArchivedFile[]): Buffer {
  const metadata = gzipSync(specification(gemspec, version, files));
  const data = gzipSync(tar(files), { level: 9 });
  const sum = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
  const checksums = `---\nSHA256:\n  metadata.gz: ${sum(metadata)}\n  data.tar.gz: ${sum(data)}\n`;
  return tar([
    { path: "metadata.gz", content: metadata },
    { path: "data.tar.gz", content: data },
    { path: "checksums.yaml.gz", content: gzipSync(checksums) },
  ]);
}

/** The specification in YAML. JSON is valid YAML. */
function specification(gemspec: string, version: string, files: readonly ArchivedFile[]): string {
  const field = (name: string): unknown => {
    const [, value = ""] = new RegExp(`spec\\.${name} = ((?:[^\\n]*\\\\\\n)*[^\\n]*)`).exec(gemspec) ?? [];
    if (value === "") throw new Error(`beatmarket.gemspec has no ${name}.`);
    return JSON.parse(value.replace(/" \\\n\s*"/g, ""));
  };
  const repository = /repository = "(.+)"/.exec(gemspec)?.[1] ?? "";
  const [, links = ""] = /spec\.metadata = \{([\s\S]*?)\n {2}\}/.exec(gemspec) ?? [];
  const metadata = JSON.parse(
    `{${links.replaceAll("=>", ":").replaceAll("#{repository}", repository).replaceAll(": repository", `: "${repository}"`)}}`,
  );
  const requirement = (constraint: string): string => {
    const [operator = "", number = ""] = constraint.split(" ");
    return `!ruby/object:Gem::Requirement
  requirements:
  - - ${JSON.stringify(operator)}
    - !ruby/object:Gem::Version
      version: ${JSON.stringify(number)}`;
  };
  return `--- !ruby/object:Gem::Specification
name: ${field("name")}
version: !ruby/object:Gem::Version
  version: ${version}
platform: ruby
authors: ${JSON.stringify(field("authors"))}
bindir: bin
cert_chain: []
date: 1980-01-02 00:00:00.000000000 Z
dependencies: []
description: ${JSON.stringify(field("description"))}
email:
executables: []
extensions: []
extra_rdoc_files: ${JSON.stringify(field("extra_rdoc_files"))}
files: ${JSON.stringify(files.map(({ path }) => path))}
homepage: ${JSON.stringify(field("homepage"))}
licenses: ${JSON.stringify([field("license")])}
metadata: ${JSON.stringify(metadata)}
rdoc_options: []
require_paths: ["lib"]
required_ruby_version: ${requirement(String(field("required_ruby_version")))}
required_rubygems_version: ${requirement(">= 0")}
requirements: []
rubygems_version: 3.3.0
specification_version: 4
summary: ${JSON.stringify(field("summary"))}
test_files: []
`;
}
