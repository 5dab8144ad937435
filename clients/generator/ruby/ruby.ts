import { pascalCase } from "../case.ts";
import type { Emitter, GeneratedFile } from "../emitter.ts";
import { fixtureFile } from "../fixtures.ts";
import type { ClientInterface } from "../interface/types.ts";
import { fileMethods } from "./files.ts";
import { models } from "./models.ts";
import { pages } from "./pages.ts";
import { methods } from "./resources.ts";
import { signatures } from "./signatures.ts";
import { comment, file, rdoc } from "./text.ts";

/** The generated part of the Ruby client: models, pages, plain methods, tables, recorded examples and all their RBS. */
export const ruby: Emitter = { folders: ["ruby/lib/beatmarket/generated/"], files };

function files(api: ClientInterface): GeneratedFile[] {
  return [
    file("nested_models", ["../model"], models(api, true)),
    file("models", ["nested_models"], models(api, false)),
    file("pages", ["../list", "models"], pages(api)),
    file("operations", [], operations(api)),
    file("error_codes", [], errorCodes(api)),
    file(
      "client",
      api.resources.map(({ name }) => `${byHand.has(name) ? "../" : ""}resources/${name}`),
      client(api),
    ),
    ...api.resources.map(({ name, description }) => {
      const text = [
        "  # The parts of a {Client}.",
        "  module Resources",
        comment(4, `+client.${name}+. ${rdoc(description)}`),
        `    class ${pascalCase(name)} < Resource`,
        [methods(api, name, 6), ...fileMethods(api, name, 6)].filter(Boolean).join("\n\n"),
        "    end",
        "  end",
      ];
      return file(`resources/${name}`, ["../../resource", "../pages"], text.filter(Boolean).join("\n"));
    }),
    fixtureFile("ruby/lib/beatmarket/generated/fixtures.json", api),
    { path: "ruby/sig/generated.rbs", text: signatures(api) },
  ];
}

/** Resources with hand-written methods in separate files. */
const byHand = new Set(["beats", "events", "exports", "orders", "sales", "uploads"]);

const operations = ({ operations: items }: ClientInterface): string =>
  [
    `  # An entry of {OPERATIONS}.
  #
  # @!attribute [r] verb
  #   @return [String]
  # @!attribute [r] path
  #   @return [String] relative to the base URL, with parameter names in braces
  # @!attribute [r] ruby
  #   @return [Array<Symbol>] the methods to call on a {Client}
  Operation = Struct.new(:verb, :path, :ruby)
`,
    "  # The API's operations, by operationId of the OpenAPI document.",
    "  OPERATIONS = {",
    items
      .map(({ id, httpMethod, path, resource, method }) => {
        const names = resource === null ? method : `${resource} ${method}`;
        return `    "${id}" => Operation.new("${httpMethod}", "${path}", %i[${names}])`;
      })
      .join(",\n"),
    "  }.each_value(&:freeze).freeze",
  ].join("\n");

const errorCodes = ({ errorCodes: items }: ClientInterface): string =>
  [
    "  class APIStatusError",
    "    # The error classes by error code.",
    "    BY_CODE = {",
    items.map(({ code, error }) => `      "${code}" => ${error}`).join(",\n"),
    "    }.freeze",
    "  end",
  ].join("\n");

function client(api: ClientInterface): string {
  const { resources } = api;
  return [
    "  class Client",
    resources
      .map(
        ({ name, description }) =>
          `${comment(4, `@return [Resources::${pascalCase(name)}] ${rdoc(description)}`, 2)}\n    attr_reader :${name}`,
      )
      .join("\n"),
    "",
    methods(api, null, 4),
    "",
    "    private",
    "",
    "    def use(transport)",
    "      @transport = transport",
    ...resources.map(({ name }) => `      @${name} = Resources::${pascalCase(name)}.new(transport)`),
    "    end",
    "  end",
  ].join("\n");
}
