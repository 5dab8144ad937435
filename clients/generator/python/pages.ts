import { pascalCase } from "../case.ts";
import { detailed } from "../interface/names.ts";
import type { ClientInterface, Field, Operation } from "../interface/types.ts";
import { modelsIn, typeName } from "./models.ts";
import { bracketed, docstring, importing, inPython, module } from "./text.ts";

/** The pages of an operation that have fields in addition to items and pagination. */
export interface Pages {
  /** The name of the class of one page: BeatPage, SearchPage. */
  page: string;
  listing: string;
  items: { key: string; model: string }[];
  extras: Field[];
  /** The model of items with all details, if a list can have them. */
  detail: string | null;
}

/** Null for pages without additional fields, and for results without pages. */
export function pagesOf({ resource, method, result, queryParameters }: Operation): Pages | null {
  if (result.kind !== "pages" || result.extras.length === 0) return null;
  const { items, extras } = result;
  const name = resource === null ? pascalCase(method) : (items[0]?.model ?? "");
  const hasIds = queryParameters.some((parameter) => parameter.name === "ids");
  const detail = hasIds ? (detailed[name] ?? null) : null;
  return { page: `${name}Page`, listing: `${name}Listing`, items, extras, detail };
}

const property = (name: string, type: string, doc: string, value: string): string[] => [
  "",
  "    @property",
  `    def ${name}(self) -> ${type}:`,
  ...docstring(doc, "        "),
  `        return ${value}`,
];

const extraType = ({ type, isRequired }: Field): string => typeName(type) + (isRequired ? "" : " | None");

/** The classes of pages and listings with additional fields. */
export function pages(api: ClientInterface, prefix: string): string {
  const pageClasses = api.operations.map(pagesOf).filter((each) => each !== null);
  const names = pageClasses.flatMap(({ items, extras }) => [
    ...items.map(({ model }) => model),
    ...extras.flatMap(({ type }) => modelsIn(type)),
  ]);
  const folder = prefix === "" ? "_sync" : "_async";
  const bounds = pageClasses.filter(({ detail }) => detail !== null).map(({ items }) => items[0]?.model ?? "");
  return module("Pages and lists with fields in addition to their items.", [
    "from typing import ClassVar, TypeVar",
    "",
    ...importing(`...${folder}.lists`, [`${prefix}ListOf`, `${prefix}Page`]),
    ...importing("...model", ["Model"]),
    ...importing("..models", names),
    "",
    ...bounds.map((bound) => `${bound.charAt(0)} = TypeVar("${bound.charAt(0)}", bound=${bound})`),
    ...pageClasses.flatMap((each) => {
      const item = each.detail === null ? each.items.map(({ model }) => model).join(" | ") : each.page.charAt(0);
      const page = `${prefix}${each.page}${each.detail === null ? "" : `[${item}]`}`;
      const models = each.extras.flatMap(({ name, type }) => modelsIn(type).map((model) => `"${name}": ${model}`));
      const lists = each.items.length === 1 ? [] : each.items;
      const keys = each.items.map(({ key }) => key).join(" and ");
      return [
        "",
        "",
        `class ${prefix}${each.page}(${prefix}Page[${item}]):`,
        `    """One page of ${keys}."""`,
        "",
        ...bracketed("_extras: ClassVar[dict[str, type[Model]]] = {", models, "}", "    "),
        ...lists.flatMap(({ key, model }) =>
          property(key, `list[${model}]`, `The ${key} of this page.`, `self._lists["${key}"]`),
        ),
        ...each.extras.flatMap((field) =>
          property(
            field.name,
            extraType(field),
            inPython(field.description),
            `self._extra("${field.name}", ${typeName(field.type)})`,
          ),
        ),
        "",
        "",
        `class ${prefix}${each.listing}(${prefix}ListOf[${item}, ${page}]):`,
        prefix === ""
          ? `    """A list of ${keys}. A loop iterates over all pages; the attributes belong to the first page."""`
          : `    """A list of ${keys}. \`async for\` iterates over all pages; \`await\` returns the first one."""`,
        ...(prefix === ""
          ? [
              ...lists.flatMap(({ key, model }) =>
                property(key, `list[${model}]`, `The ${key} of the first page.`, `self.first_page.${key}`),
              ),
              ...each.extras.flatMap((field) =>
                property(field.name, extraType(field), inPython(field.description), `self.first_page.${field.name}`),
              ),
            ]
          : []),
      ];
    }),
  ]);
}
