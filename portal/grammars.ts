import type { Plugin } from "vite";

type Rule = { match?: string; name?: string } & { [key: string]: unknown };

/** Longer patterns of a scope `support.*` list names of extensions that no program here uses: 10 kB of PHP, compressed. */
const maxSupportLength = 750;
const none = "\0no-embedded-grammar";

/**
 * Grammars of Shiki without those that they embed, and without long lists of names: the portal shows no HTML in
 * PHP and no C++ in Ruby, and its programs call their own client.
 */
export function slimGrammars(): Plugin {
  return {
    name: "slim-grammars",
    enforce: "pre",
    resolveId: (source, importer) =>
      source.startsWith("./") && importer?.includes("/@shikijs/langs/") === true ? none : undefined,
    load: (id) => (id === none ? "export default [];" : null),
    transform: (code, id) =>
      id.includes("/@shikijs/langs/dist/")
        ? { code: code.replace(/JSON\.parse\(("(?:[^"\\]|\\.)*")\)/, (_, text) => slim(JSON.parse(text))), map: null }
        : undefined,
  };
}

const slim = (json: string): string =>
  `JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(json, (_, value) => (Array.isArray(value) ? value.filter((its) => !isList(its)) : value))))})`;

/** Whether a rule only lists names, and very many. */
const isList = (rule: Rule | null): boolean =>
  (rule?.match?.length ?? 0) > maxSupportLength && /^support\.(function|class|constant)\b/.test(rule?.name ?? "");
