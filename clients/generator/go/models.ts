import type { ClientInterface, Enum, EventType, Field, Model } from "../interface/types.ts";
import { isRequestModel } from "./requests.ts";
import { comment, goName, notice, structure, typeName } from "./text.ts";

/** The types of all results. */
export function models(api: ClientInterface): string {
  return [
    `${notice}\npackage beatmarket\n`,
    ...api.enums.map(enumeration),
    ...api.models.filter(({ name }) => name !== "Event" && !isRequestModel(name, api)).map(model),
    eventData(api.eventTypes),
  ].join("\n");
}

/** A named string with constants for its known values. */
function enumeration({ name, values }: Enum): string {
  const names = values.map((value) => name + goName(value));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = values.map((value, index) => `\t${names[index]?.padEnd(width)} ${name} = ${JSON.stringify(value)}\n`);
  const about = comment([`${name} has the values that follow; the API may add others.`]);
  return `${about}type ${name} string\n\n// Known values of ${name}.\nconst (\n${lines.join("")})\n`;
}

/**
 * The method that decodes an object. It decodes into a type without methods, so that the JSON decoder does not call the
 * method again.
 */
export const decoder = (name: string): string => `
// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *${name}) UnmarshalJSON(data []byte) error {
	type fields ${name}
	m.raw = readFields(data, (*fields)(m))
	return nil
}
`;

function model({ name, description, fields }: Model): string {
  const about = [`${name}: ${description === "" ? "an object of the API." : description}`];
  return structure(name, about, ["\tModel\n", ...fields.map(member)]) + decoder(name);
}

const member = (field: Field): string =>
  `${comment([field.description], "\t")}\t${goName(field.name)} ${fieldType(field)} \`json:"${field.name}"\`\n`;

/** A pointer if null or absence differs from the zero value. */
function fieldType({ type, isRequired, isNullable }: Field): string {
  const hasNil = ["list", "map", "any", "union"].includes(type.kind);
  return `${hasNil || (isRequired && !isNullable) ? "" : "*"}${typeName(type)}`;
}

/** The data of each event type. The constants of event types come from the enumeration. */
function eventData(types: readonly EventType[]): string {
  const cases = types.map(({ type, data, description }) => {
    const about = comment([description], "\t");
    return `${about}\tcase ${JSON.stringify(type)}:\n\t\treturn &${data}{}\n`;
  });
  return `// newEventData is an empty model for the data of an event, nil for a type that is newer than this client.
func newEventData(eventType EventType) any {
	switch eventType {
${cases.join("")}	default:
		return nil
	}
}

// EventTypes are the types of events that this client knows.
func EventTypes() []EventType {
	return []EventType{
${types.map(({ type }) => `\t\t${JSON.stringify(type)},\n`).join("")}	}
}
`;
}
