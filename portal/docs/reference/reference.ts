import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Slugs } from "../slugs.ts";
import type { Declaration, Item, Member } from "./declarations.ts";
import { declarationsOf, isError, type Library, libraries } from "./libraries.ts";

/** The two pages of a library's reference, in Markdown. */
export interface Reference {
  /** The page of the client, its methods, the functions for webhooks and tests, and the errors. */
  reference: string;
  /** The page of the types that the methods take and return. */
  types: string;
}

interface Operation {
  operationId: string;
  summary: string;
  "x-client-method"?: string;
  "x-codeSamples"?: { label: string; source: string; "x-install"?: string }[];
}

/** A method with its place on a page. */
interface Call {
  member: Member;
  /** The call in the language's syntax: `client.beats.list`. */
  title: string;
  operation: Operation | undefined;
}

interface Part {
  title: string;
  text: string;
  calls: Call[];
}

const openapi = join(import.meta.dirname, "../../../contract/openapi.json");

/** The operations of the OpenAPI document by their method names in the client libraries: `beats.list`, `search`. */
export async function readOperations(): Promise<Map<string, Operation>> {
  const { paths } = JSON.parse(await readFile(openapi, "utf8")) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.flatMap((operation) =>
      operation["x-client-method"] === undefined ? [] : [[operation["x-client-method"], operation]],
    ),
  );
}

/**
 * Generates a library's reference from its source and the samples of the OpenAPI document. Throws an Error for an
 * unknown language, and for an operation without a method.
 */
export async function referenceOf(language: string): Promise<Reference> {
  const library = libraries[language];
  if (library === undefined) throw new Error(`There is no client library for ${language}.`);
  const [source, operations] = await Promise.all([declarationsOf(library), readOperations()]);
  return new Pages(language, library, source, operations).write();
}

export class Pages {
  readonly #language: string;
  readonly #library: Library;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #byName: ReadonlyMap<string, Declaration>;
  readonly #parts: Part[];
  readonly #errors: Declaration[];
  readonly #types: { title: string; all: Declaration[] }[];
  /** Links to classes and types, by their names. */
  readonly #links = new Map<string, string>();

  constructor(
    language: string,
    library: Library,
    { declarations, publicDeclarations }: Awaited<ReturnType<typeof declarationsOf>>,
    operations: ReadonlyMap<string, Operation>,
  ) {
    this.#language = language;
    this.#library = library;
    this.#operations = operations;
    this.#byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    this.#parts = this.#partsOf();
    const documentedNames = new Set([
      library.client,
      ...library.functions,
      ...this.#resources().map(([, name]) => name),
    ]);
    const otherDeclarations = declarations.filter(
      (each) => publicDeclarations.has(each) && !documentedNames.has(each.name),
    );
    this.#errors = otherDeclarations.filter(isError);
    const isValue = ({ signature, fields, file, name }: Declaration) =>
      /^type \w+ = ?$|^type \w+ string$|Literal\[|^type \w+ =(?:\s+\| )? ?"/.test(signature) ||
      file.startsWith("Value/") ||
      name === "Value" ||
      (fields.length > 0 && fields.every(({ type }) => /^["']/.test(type)));
    const isModel = ({ file }: Declaration) =>
      /generated\/?.*models|models_generated|requests_generated|^Model\/|_generated\/events/.test(file);
    const nonErrors = otherDeclarations.filter((each) => !isError(each));
    this.#types = [
      { title: "Objects of the API", all: nonErrors.filter((each) => isModel(each) && !isValue(each)) },
      { title: "Values", all: nonErrors.filter(isValue) },
      { title: "Of the library", all: nonErrors.filter((each) => !isModel(each) && !isValue(each)) },
    ].filter(({ all }) => all.length > 0);
  }

  write(): Reference {
    const typeSlugs = new Slugs();
    typeSlugs.next(`${this.#library.label} types`);
    for (const { title, all } of this.#types) {
      typeSlugs.next(title);
      for (const declaration of all) {
        this.#links.set(declaration.name, `${this.#language}-types.md#${typeSlugs.next(declaration.name)}`);
        for (const { name } of declaration.members) typeSlugs.next(`${declaration.name}.${name}`);
      }
    }
    const slugs = new Slugs();
    const anchors = new Map<object, string>();
    for (const heading of [`${this.#library.label} reference`, "Index"]) slugs.next(heading);
    for (const part of this.#parts) {
      anchors.set(part, slugs.next(part.title));
      for (const call of part.calls) anchors.set(call, slugs.next(call.title));
    }
    slugs.next("Errors");
    for (const { name } of this.#errors) this.#links.set(name, `${this.#language}-reference.md#${slugs.next(name)}`);
    return { reference: this.#reference(anchors), types: this.#typesPage() };
  }

  /** Each resource's name, with the name of its class. */
  #resources(): [name: string, className: string][] {
    const names = [...this.#operations.keys()].flatMap((name) =>
      name.includes(".") ? [name.split(".")[0] ?? ""] : [],
    );
    const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
    return [...new Set(names)].map((name) => [name, this.#library.resourceClass(pascal(name))]);
  }

  #partsOf(): Part[] {
    const { client, functions, call, methodName } = this.#library;
    const searches = ["ClientMethods", "Search"].flatMap((name) => this.#byName.get(name)?.members ?? []);
    const clientMembers = [...(this.#byName.get(client)?.members ?? []), ...searches];
    const isConstructor = (name: string) => name === "constructor" || name === client || name === `${client}.new`;
    const operationsOf = (resource: string | null) =>
      new Map(
        [...this.#operations].flatMap(([name, operation]) => {
          const [first = "", second] = name.split(".");
          const [owner, method] = second === undefined ? [null, first] : [first, second];
          return owner === resource ? [[methodName(method), operation]] : [];
        }),
      );
    const callsOf = (members: readonly Member[], resource: string | null): Call[] => {
      const operations = operationsOf(resource);
      const missing = [...operations.keys()].filter((name) => !members.some((member) => member.name === name));
      if (missing.length > 0)
        throw new Error(`The ${this.#library.label} library has no ${resource ?? "client"}.${missing.join(", ")}.`);
      return members.map((member) => ({
        member,
        title: isConstructor(member.name)
          ? member.name === "constructor"
            ? `new ${client}`
            : member.name
          : call(resource, member.name),
        operation: operations.get(member.name),
      }));
    };
    const clientText = this.#byName.get(client)?.text ?? "";
    const declared = functions.flatMap((name) => {
      const declaration = this.#byName.get(name);
      if (declaration === undefined) return [];
      const title = (member: string) => (member === name ? `new ${name}` : `${name}.${member}`);
      const calls = declaration.members.map((member) => ({ member, title: title(member.name), operation: undefined }));
      return [{ title: name === "beatmarket" ? "Functions" : name, text: declaration.text, calls }];
    });
    return [
      { title: "The client", text: clientText, calls: callsOf(clientMembers, null) },
      ...declared,
      ...this.#resources().map(([name, className]) => {
        const declaration = this.#byName.get(className);
        return {
          title: name,
          text: (declaration?.text ?? "").replace(/^\w+Service: /, ""),
          calls: callsOf(declaration?.members ?? [], name),
        };
      }),
    ];
  }

  #reference(anchors: ReadonlyMap<object, string>): string {
    const { label, note } = this.#library;
    const index = this.#parts.map((part) => {
      const rows = part.calls.map((call) => {
        const text = call.operation?.summary ?? firstSentence(call.member.text);
        return `| [\`${call.title}\`](#${anchors.get(call)}) | ${cell(text)} |`;
      });
      return `**[${part.title}](#${anchors.get(part)})**\n\n| | |\n|---|---|\n${rows.join("\n")}`;
    });
    const errors = this.#errors.map(
      ({ name, text }) => `| [\`${name}\`](#${this.#links.get(name)?.split("#")[1]}) | ${cell(firstSentence(text))} |`,
    );
    const lines = [
      `# ${label} reference`,
      `Every method, parameter and error of the ${label} client library, from its source. ${note}`,
      `See also [how to use it](${this.#language}.md), and [its types](${this.#language}-types.md).`,
      ...this.#installation(),
      "## Index",
      ...index,
      `**[Errors](#errors)**\n\n| | |\n|---|---|\n${errors.join("\n")}`,
      ...this.#parts.flatMap((part) => [
        `## ${part.title}`,
        this.#text(part.text),
        ...part.calls.flatMap((call) => [
          `### \`${call.title}\``,
          ...this.#member(call.member),
          ...this.#example(call),
        ]),
      ]),
      "## Errors",
      ...this.#errors.flatMap((error) => this.#declaration(error)),
    ];
    return `${lines.filter((line) => line !== "").join("\n\n")}\n`;
  }

  #typesPage(): string {
    const { label, note } = this.#library;
    const lines = [
      `# ${label} types`,
      `What the methods of the ${label} client library take and return, from its source. ${note.replaceAll("(#errors)", `(${this.#language}-reference.md#errors)`)}`,
      `See also [the methods](${this.#language}-reference.md), and [how to use the library](${this.#language}.md).`,
      ...this.#types.flatMap(({ title, all }) => [
        `## ${title}`,
        all.map(({ name }) => `[${name}](#${this.#links.get(name)?.split("#")[1]})`).join(", "),
        ...all.flatMap((declaration) => this.#declaration(declaration)),
      ]),
    ];
    return `${lines.filter((line) => line !== "").join("\n\n")}\n`;
  }

  #declaration({ name, signature, text, fields, members }: Declaration): string[] {
    const column = fields.every(({ type }) => /^["']/.test(type)) ? "value" : "field";
    return [
      `### ${name}`,
      ...(signature === "" ? [] : [this.#code(signature)]),
      this.#text(text),
      this.#table(column, fields),
      ...members.flatMap((member) => [`#### \`${name}.${member.name}\``, ...this.#member(member)]),
    ];
  }

  #member({ signature, text, parameters, returns, errors }: Member): string[] {
    const hasTexts = errors.some((error) => error.text !== "");
    const raised = errors
      .map((error) => `- ${this.#type(error.type)}${error.text === "" ? "" : `: ${this.#text(error.text)}`}`)
      .join("\n");
    const result = returns.map(
      (each) =>
        `${this.#type(each.type)}${each.text === "" ? "" : `${each.type === "" ? "" : ": "}${this.#text(each.text)}`}`,
    );
    const errorList = hasTexts ? `\n\n${raised}` : ` ${errors.map((error) => this.#type(error.type)).join(", ")}`;
    return [
      this.#code(signature),
      this.#text(text),
      this.#table("parameter", parameters),
      ...this.#fieldsOf(parameters),
      result.length === 0 ? "" : `Returns ${result.join("; ")}`,
      errors.length === 0 ? "" : `Errors:${errorList}`,
    ];
  }

  /** The fields of parameters that are objects, such as a query. Some languages' signatures do not list them. */
  #fieldsOf(parameters: readonly Item[]): string[] {
    return parameters.flatMap(({ name, type }) => {
      const declaration = this.#byName.get(type);
      const isRequest =
        declaration !== undefined &&
        /(?:Query|Fields|Changes|Request|Question|Params|Options)$/.test(type) &&
        type !== "CallOptions";
      return isRequest && declaration.fields.length > 0
        ? [`Fields of \`${name.replace("?", "")}\`:`, this.#table("field", declaration.fields)]
        : [];
    });
  }

  /** The command that installs the library from a server. Every sample has the same command. */
  #installation(): string[] {
    const samples = [...this.#operations.values()].flatMap((operation) => this.#sampleOf(operation) ?? []);
    const line = samples.map((sample) => sample["x-install"]).find((install) => install !== undefined);
    return line === undefined ? [] : ["To install it from a server:", `\`\`\`sh\n${line}\n\`\`\``];
  }

  #sampleOf(operation: Operation | undefined): { source: string; "x-install"?: string } | undefined {
    return operation?.["x-codeSamples"]?.find(({ label }) => label === this.#library.label);
  }

  #example({ operation }: Call): string[] {
    const source = this.#sampleOf(operation)?.source;
    return source === undefined ? [] : ["Example:", this.#code(withoutClient(source))];
  }

  #table(first: string, items: readonly Item[]): string {
    if (items.length === 0) return "";
    const isDescribed = items.some(({ text }) => text !== "");
    const rows = items.map(({ name, type, text }) =>
      row([`\`${name}\``, this.#type(type), ...(isDescribed ? [this.#text(text)] : [])]),
    );
    const titles = [first, first === "value" ? "as sent" : "type", ...(isDescribed ? ["meaning"] : [])];
    return [row(titles), row(titles.map(() => "---")), ...rows].join("\n");
  }

  /** A type as code, linked to the first class in it that the reference describes. */
  #type(type: string): string {
    if (type === "") return "";
    const link = type.match(/[A-Z]\w+/g)?.flatMap((word) => this.#links.get(word) ?? [])[0];
    return link === undefined ? `\`${type}\`` : `[\`${type}\`](${link})`;
  }

  /** A comment as Markdown for a page. */
  #text(text: string): string {
    return text.replace(/\{@link (\w+)\}/g, "`$1`");
  }

  #code(text: string): string {
    return `\`\`\`${this.#library.code}\n${text.trimEnd()}\n\`\`\``;
  }
}

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const cell = (text: string): string => text.replace(/\s*\n+\s*/g, " ").replace(/(?<!\\)\|/g, "\\|");

const firstSentence = (text: string): string =>
  /^.*?[.:](?= |$)/.exec(text.split("\n\n")[0] ?? "")?.[0].replace(/:$/, ".") ?? text;

/** A sample without the lines that every program begins with. */
function withoutClient(source: string): string {
  if (source.includes("package main")) {
    const body = /beatmarket\.New\([\s\S]*?log\.Fatal\(err\)\n\t\}\n([\s\S]*)\n\}\n$/.exec(source)?.[1] ?? source;
    return body.replace(/^\t/gm, "");
  }
  const blocks = source.split("\n\n");
  return blocks
    .slice(blocks.findIndex((block) => /BeatMarket(?:\\Client)?\(|Client\.new/.test(block)) + 1)
    .join("\n\n");
}
