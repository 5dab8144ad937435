import { type Document, referencedName, type Schema } from "./document.ts";
import { descriptions, detailed, names, parents } from "./names.ts";
import type { Enum, Field, Model, Type } from "./types.ts";

/** Turns schemas into types, and collects the models and enumerations that they need. */
export class Schemas {
  readonly #components: Document["components"]["schemas"];
  readonly #models = new Map<string, Model>();
  readonly #enums = new Map<string, Enum>();

  constructor(components: Document["components"]["schemas"]) {
    this.#components = components;
  }

  /** The models so far, parents before the models that extend them. */
  get models(): Model[] {
    const models = [...this.#models.values()];
    return [...models.filter(({ parent }) => parent === null), ...models.filter(({ parent }) => parent !== null)];
  }

  get enums(): Enum[] {
    return [...this.#enums.values()];
  }

  /**
   * The type of a schema, ignoring null.
   * @param place the place of the schema, such as `Order.next_action`. It becomes the name unless names.ts has another
   * one.
   */
  type(schema: Schema, place: string): Type {
    const reference = referencedName(schema);
    if (reference !== null) return this.component(reference);
    const { type, format, items, enum: values, anyOf, properties, additionalProperties } = schema;
    if (anyOf !== undefined) return this.#union(anyOf, place);
    if (items !== undefined) return { kind: "list", items: this.type(items, place) };
    if (properties !== undefined) return this.#object(schema, place);
    if (values !== undefined) return this.#enum(values, place);
    if (typeof additionalProperties === "object")
      return { kind: "map", values: this.type(additionalProperties, `${place}.value`) };
    if (format === "date-time" || format === "date-or-time") return { kind: "timestamp" };
    if (format === "uri") return { kind: "url" };
    if (type === "integer" || type === "number" || type === "string" || type === "boolean") return { kind: type };
    return { kind: "any" };
  }

  /** The model of a component. */
  component(name: string): Type {
    if (this.#models.has(name)) return { kind: "model", name };
    const { properties, ...schema } = this.#components[name] ?? {};
    if (properties === undefined) throw new Error(`The document has no object named ${name}.`);
    const fields = this.#withoutDetails(name, properties, schema.required ?? []);
    return this.#object({ ...schema, properties: fields }, name, false);
  }

  /** The fields of an object. */
  fields({ properties = {}, required = [] }: Schema, place: string): Field[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.type(schema, `${place}.${name}`),
      isRequired: required.includes(name),
      isNullable: schema.anyOf?.some(({ type }) => type === "null") === true,
      description: schema.description ?? "",
    }));
  }

  /** Omits properties that lists have only with `ids` or `fields`, if another model has them. */
  #withoutDetails(name: string, properties: Record<string, Schema>, required: string[]): Record<string, Schema> {
    const otherFields = this.#components[detailed[name] ?? ""]?.properties ?? {};
    return Object.fromEntries(
      Object.entries(properties).filter(([field]) => required.includes(field) || !(field in otherFields)),
    );
  }

  #object(schema: Schema, place: string, isNested = true): Type {
    const parent = isNested ? null : (parents[place] ?? null);
    if (parent !== null) this.component(parent);
    const fields = this.fields(schema, names[place] ?? place);
    const name = names[place] ?? this.#nameOfSameShape(fields) ?? nameOf(place);
    const model = this.#models.get(name);
    this.#models.set(name, {
      name,
      description: descriptions[name] ?? schema.description ?? "",
      parent,
      fields: model === undefined ? fields : mergeFields(model.fields, fields),
      isNested,
    });
    return { kind: "model", name };
  }

  /** The name of an existing nested object with the same fields. */
  #nameOfSameShape(fields: Field[]): string | undefined {
    const shape = shapeOf(fields);
    return [...this.#models.values()].find((model) => model.isNested && shapeOf(model.fields) === shape)?.name;
  }

  #enum(values: string[], place: string): Type {
    const equalEnum = [...this.#enums.values()].find((each) => String(each.values) === String(values));
    const name = names[place] ?? equalEnum?.name ?? nameOf(place);
    this.#enums.set(name, { name, values });
    return { kind: "enum", name };
  }

  #union(schemas: Schema[], place: string): Type {
    const types = distinct(schemas.filter(({ type }) => type !== "null").map((schema) => this.type(schema, place)));
    return types.length === 1 ? (types[0] as Type) : { kind: "union", members: types };
  }
}

/** Merges the fields of an object that has several shapes. */
function mergeFields(ownFields: Field[], otherFields: Field[]): Field[] {
  const merged = [...ownFields, ...otherFields.filter(({ name }) => !ownFields.some((field) => field.name === name))];
  return merged.map((field) => {
    const [first, second] = [ownFields, otherFields].map((fields) => fields.find(({ name }) => name === field.name));
    if (first === undefined || second === undefined) return { ...field, isRequired: false };
    const types = distinct(
      [first.type, second.type].flatMap((type) => (type.kind === "union" ? type.members : [type])),
    );
    return {
      ...first,
      type: types.length === 1 ? (types[0] as Type) : { kind: "union", members: types },
      isRequired: first.isRequired && second.isRequired,
      isNullable: first.isNullable || second.isNullable,
      description: first.description || second.description,
    };
  });
}

/** Removes duplicate types. An integer is also a number, so the number suffices. */
function distinct(types: Type[]): Type[] {
  const distinctTypes = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
  return distinctTypes.some(({ kind }) => kind === "number")
    ? distinctTypes.filter(({ kind }) => kind !== "integer")
    : distinctTypes;
}

const shapeOf = (fields: Field[]): string =>
  JSON.stringify(fields.map(({ name, type, isRequired, isNullable }) => [name, type, isRequired, isNullable]));

/**
 * The name of a type by its place: `Order.next_action` as OrderNextAction. Names that would mislead, such as
 * OrderStatus for `listOrders.query.status`, are in names.ts.
 */
const nameOf = (place: string): string =>
  place
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
