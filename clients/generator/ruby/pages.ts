import type { ClientInterface, Field, Operation } from "../interface/types.ts";
import { listName, pageName } from "./resources.ts";
import { comment, rdoc } from "./text.ts";
import { fieldClasses, isOptional, modelIn } from "./types.ts";

/** The classes of pages with fields in addition to the records. */
export const pages = ({ operations }: ClientInterface): string =>
  operations
    .flatMap((operation) => {
      if (operation.result.kind === "positions") return [positionPage(operation.result)];
      return operation.result.kind === "pages" && operation.result.extras.length > 0 ? pageAndList(operation) : [];
    })
    .join("\n\n");

const positionPage = ({ key, model }: { key: string; model: string }): string =>
  [
    `  # A page of ${key}, in the order of commits.`,
    `  class ${model}Page < PositionPage`,
    `    # @return [Array<${model}>] frozen`,
    `    alias ${key} data`,
    "  end",
  ].join("\n");

function pageAndList({ id, resource, result, summary }: Operation): string[] {
  if (result.kind !== "pages") return [];
  const items = result.items.length > 1 ? result.items : [];
  const readers = (kind: "page" | "list"): string =>
    [
      ...items.map(
        ({ key, model }) =>
          `    # @return [Array<${model}>]${kind === "list" ? " of the first page" : ""}\n    def ${key} = ${kind === "list" ? `first_page.${key}` : `part("${key}")`}`,
      ),
      ...result.extras.map(
        (extra) =>
          `${comment(4, `@return [${classes(extra)}] ${rdoc(extra.description)}`.trimEnd(), 2)}\n    def ${extra.name} = ${kind === "page" ? extraOf(extra) : `first_page.${extra.name}`}`,
      ),
    ].join("\n\n");
  return [
    `  # A page of {${listName(id, resource)}}.\n  class ${pageName(id, resource)} < Page\n${readers("page")}\n  end`,
    `  # ${summary}: a {List} with the additional fields of its first page.\n  class ${listName(id, resource)} < List\n${readers("list")}\n  end`,
  ];
}

export const classes = (field: Field): string =>
  [...fieldClasses(field.type), ...(isOptional(field) ? ["nil"] : [])].join(", ");

function extraOf({ name, type }: Field): string {
  const model = modelIn(type);
  if (model === null) return `response.optional("${name}")`;
  return `${model}.${type.kind === "list" ? "list" : "from"}(response.optional("${name}"))`;
}
