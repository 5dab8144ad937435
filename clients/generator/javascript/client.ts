import { camelCase, pascalCase } from "../case.ts";
import type { ClientInterface } from "../interface/types.ts";
import { braces, documentation } from "./text.ts";

/** The files of the hand-written classes that extend the generated class of a resource. */
const byHand: Readonly<Record<string, string>> = {
  beats: "beats",
  changes: "feeds",
  events: "feeds",
};

/** The class with all resources, which the client extends. */
export function client({ resources }: ClientInterface): string {
  const names = resources.map(({ name }) => name);
  const classes = (resourceNames: string[]): string[] => resourceNames.map(pascalCase).sort();
  const imports = [...new Set(Object.values(byHand))]
    .sort()
    .map((file) => braces("import ", classes(names.filter((name) => byHand[name] === file)), ` from "../${file}.ts";`));
  const generated = ["ClientMethods", ...classes(names.filter((name) => !(name in byHand)))].sort();
  const fields = resources.map(
    ({ name, description }) =>
      `${documentation([description], "  ")}  readonly ${camelCase(name)}: ${pascalCase(name)} = new ${pascalCase(name)}(this.sender);\n`,
  );
  return [
    ...imports,
    braces("import ", generated, ' from "./resources.ts";'),
    "",
    braces("export type ", classes(names), ";"),
    "",
    `/** The parts of a client. */\nexport class Resources extends ClientMethods {\n${fields.join("")}}\n`,
  ].join("\n");
}
