import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SourceFile } from "./source-files.ts";

const run = promisify(execFile);
const isText =
  /\.(md|ts|tsx|mjs|js|css|html|sql|py|php|rb|ru|rbs|sh|toml|ya?ml|service|json)$|(^|\/)(Dockerfile|Caddyfile|run-tests)$/;
// Generated files, and files written by others.
const isGenerated = /(^|\/)(package-lock\.json|composer\.lock|uv\.lock|schema\.sql)$|^contract\/.*\.json$/;

/** Every file of the repository, tracked or new, except ignored ones. */
export async function repositoryPaths(root: string): Promise<string[]> {
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 10_000_000,
  });
  return Array.from(new Set(stdout.split("\0").filter((path) => path !== "")));
}

/** Every hand-written text of the repository. */
export async function writtenFiles(root: string): Promise<SourceFile[]> {
  const paths = (await repositoryPaths(root)).filter((path) => isText.test(path) && !isGenerated.test(path));
  const files = await Promise.all(
    paths.map(async (path) => ({
      path,
      // A deleted file is still tracked until the deletion is committed.
      text: await readFile(join(root, path), "utf8").catch(() => null),
    })),
  );
  return files.filter((file): file is SourceFile => file.text !== null).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A heading of a Markdown document, with the text up to the next heading of the same or a higher level. */
export interface Section {
  heading: string;
  /** The level; 1 for the title. */
  level: number;
  text: string;
}

/** The sections of a document in order. Lines in code blocks are not headings. */
export function sectionsOf(document: string): Section[] {
  const lines = document.split("\n");
  let isCode = false;
  const headings = lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, marks, heading] = (isCode ? null : /^(#{1,6}) +(.+?) *$/.exec(line)) ?? [];
    return marks === undefined || heading === undefined ? [] : [{ index, level: marks.length, heading }];
  });
  return headings.map(({ index, level, heading }, position) => {
    const end = headings.slice(position + 1).find((next) => next.level <= level)?.index ?? lines.length;
    return { heading, level, text: lines.slice(index + 1, end).join("\n") };
  });
}

/** GitHub's anchor for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The contents of a document's code blocks in one language. */
export const codeBlocks = (document: string, language: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code = ""]) => code);
