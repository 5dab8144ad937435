import type { ClientInterface, Field, Model } from "../interface/types.ts";
import { comment, fieldDeclaration, rdoc } from "./text.ts";
import { fieldClasses, isOptional, modelIn } from "./types.ts";

/**
 * The models as classes, with the fields that they do not inherit. `isNested` selects either the models that occur only
 * within others, or all others.
 */
export const models = ({ models: allModels, eventTypes }: ClientInterface, isNested: boolean): string =>
  inOrder(allModels, eventTypes)
    .filter((model) => model.isNested === isNested)
    .map((model) => classOf(model, ownFields(model, allModels), eventTypes))
    .join("\n\n");

/** Sorts models after the models that they name, because Ruby reads a file from top to bottom. */
function inOrder(allModels: Model[], eventTypes: ClientInterface["eventTypes"]): Model[] {
  const orderedModels = new Set<Model>();
  const add = (model: Model): void => {
    const data = model.name === "Event" ? eventTypes.map((type) => type.data) : [];
    const namedModels = [model.parent, ...model.fields.map(({ type }) => modelIn(type)), ...data];
    for (const other of allModels) if (other !== model && namedModels.includes(other.name)) add(other);
    orderedModels.add(model);
  };
  for (const model of allModels) add(model);
  return [...orderedModels];
}

/** The fields that a model does not inherit. */
export function ownFields({ parent, fields }: Model, allModels: Model[]): Field[] {
  const inherited = new Set(allModels.find(({ name }) => name === parent)?.fields.map(({ name }) => name));
  return fields.filter(({ name }) => !inherited.has(name));
}

function classOf(model: Model, fields: Field[], eventTypes: ClientInterface["eventTypes"]): string {
  const isEvent = model.name === "Event";
  const lines = [comment(2, rdoc(model.description)), "  #", ...fields.map((field) => attribute(field, isEvent))];
  lines.push(`  class ${model.name} < ${model.parent ?? "Model"}`);
  if (isEvent) {
    lines.push("    # The class of +data+ by event type.", "    DATA = {");
    lines.push(eventTypes.map(({ type, data }) => `      "${type}" => ${data}`).join(",\n"), "    }.freeze", "");
  }
  return [...lines, declaration(fields, isEvent), "  end"].join("\n");
}

function attribute(field: Field, isEvent: boolean): string {
  const types = isEvent && field.name === "data" ? ["Model"] : fieldClasses(field.type);
  const classes = [...types, ...(isOptional(field) ? ["nil"] : [])].join(", ");
  const description = rdoc(field.description);
  return [`  # @!attribute [r] ${field.name}`, comment(2, `  @return [${classes}] ${description}`.trimEnd(), 4)].join(
    "\n",
  );
}

/** The declaration of fields, such as `field :id, genre: GenreName, licenses: [License]`. */
function declaration(fields: Field[], isEvent: boolean): string {
  const records: string[] = [];
  const scalars: string[] = [];
  for (const { name, type } of fields) {
    const model = isEvent && name === "data" ? "DATA" : modelIn(type);
    if (model === null) scalars.push(`:${name}`);
    else records.push(`${name}: ${type.kind === "list" ? `[${model}]` : model}`);
  }
  return fieldDeclaration("    field ", [...scalars, ...records]);
}
