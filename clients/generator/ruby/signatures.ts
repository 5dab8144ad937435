import { pascalCase } from "../case.ts";
import type { ClientInterface, FileMethod, Operation } from "../interface/types.ts";
import { Layout } from "../layout.ts";
import { fileArguments, progressOf } from "./files.ts";
import { ownFields } from "./models.ts";
import { type Argument, argumentsOf, followArguments, listName, pageName, resultOf } from "./resources.ts";
import { fieldClasses, isOptional, rbs } from "./types.ts";

const layout = new Layout({ indent: "  ", comment: { line: "# " }, lastComma: "" });

/** The RBS signatures of all generated code. */
export function signatures(api: ClientInterface): string {
  const { models, resources, operations, fileMethods } = api;
  const records = models.map((model) => {
    const fields = ownFields(model, models).map((field) => {
      const isData = model.name === "Event" && field.name === "data";
      return `    attr_reader ${field.name}: ${isData ? "Model" : rbs(fieldClasses(field.type), isOptional(field))}`;
    });
    const constants = model.name === "Event" ? ["    DATA: Hash[String, singleton(Model)]", ""] : [];
    return [`  class ${model.name} < ${model.parent ?? "Model"}`, ...constants, ...fields, "  end"].join("\n");
  });
  const lists = operations.flatMap((operation) => listsOf(operation));
  const parts = resources.map(({ name }) => {
    const methods = operations
      .filter(({ resource }) => resource === name)
      .flatMap((operation) => methodsOf(api, operation, 6))
      .concat(fileMethods.filter(({ resource }) => resource === name).map(fileMethodOf));
    return methods.length === 0 ? "" : [`    class ${pascalCase(name)}`, ...methods, "    end"].join("\n");
  });
  const client = [
    "  class Client",
    ...resources.map(({ name }) => `    attr_reader ${name}: Resources::${pascalCase(name)}`),
    ...operations.filter(({ resource }) => resource === null).flatMap((operation) => methodsOf(api, operation, 4)),
    "  end",
  ].join("\n");
  const body = [client, `  module Resources\n${parts.filter(Boolean).join("\n\n")}\n  end`, ...lists, ...records];
  return `# Generated from contract/openapi.json by npm run contract; do not edit.
module BeatMarket
${body.join("\n\n")}
end
`;
}

function listsOf({ id, resource, result }: Operation): string[] {
  if (result.kind === "positions")
    return [
      `  class ${result.model}Page < PositionPage[${result.model}]\n    def ${result.key}: () -> Array[${result.model}]\n  end`,
    ];
  if (result.kind !== "pages" || result.extras.length === 0) return [];
  const items = result.items.map(({ model }) => model).join(" | ");
  const readers = [
    ...(result.items.length > 1 ? result.items.map(({ key, model }) => `    def ${key}: () -> Array[${model}]`) : []),
    ...result.extras.map((field) => `    def ${field.name}: () -> ${rbs(fieldClasses(field.type), isOptional(field))}`),
  ].join("\n");
  return [
    `  class ${pageName(id, resource)} < Page[${items}]\n${readers}\n  end`,
    `  class ${listName(id, resource)} < List[${items}]\n${readers}\n  end`,
  ];
}

function methodsOf(api: ClientInterface, operation: Operation, indent: number): string[] {
  if (operation.result.kind === "file") return [];
  const result = resultOf(operation).replace(/<(.+)>/, "[$1]");
  const method = methodOf(operation.method, argumentsOf(api, operation), result, indent);
  if (operation.result.kind !== "positions") return [method];
  const args = followArguments(operation).map(typedParameter).join(", ");
  const block = `{ (${result} page) -> void } -> bot`;
  const space = " ".repeat(indent);
  return [
    method,
    `${space}def follow: (${args}) ${block}\n${space}          | (${args}) -> Enumerator[${result}, bot]`,
  ];
}

/** The signature of a file method. An object to read from has the interface _Source, which IO implements. */
function fileMethodOf(method: FileMethod): string {
  const { method: name, returns } = method;
  const args = fileArguments(method);
  if (returns.isStreamed)
    return `      def ${name}: (String | Pathname path) -> ${returns.model}\n               | (?nil path) -> BeatStream`;
  const progress = progressOf(method);
  const before = progress === null ? "" : ` ?{ (${progress} progress) -> void }`;
  const result = returns.isList ? `Array[${returns.model}]` : returns.model;
  return methodOf(name, args, result, 6, before).replaceAll(/\bIO\b/g, "_Source");
}

function methodOf(name: string, allArguments: Argument[], result: string, indent: number, block = ""): string {
  const space = " ".repeat(indent);
  return space + layout.list(`def ${name}: (`, allArguments.map(typedParameter), `)${block} -> ${result}`, space);
}

function typedParameter({ name, classes, isPositional, default: defaultCode }: Argument): string {
  const isNullable = defaultCode === "nil" || classes.includes("nil");
  const type = rbs(
    classes.filter((each) => each !== "nil"),
    isNullable,
  );
  return isPositional ? `${type} ${name}` : `${defaultCode === null ? "" : "?"}${name}: ${type}`;
}
