/** Clients may show these texts, and must not depend on them. */
const wordings = ["message", "details"];

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A response of today as a client of the recorded one sees it (docs/api/versioning.md, Compatible changes): without the
 * fields that were added to its objects, and with the recorded wording of errors. Anything else that differs stays.
 */
export function asRecorded(recorded: unknown, today: unknown): unknown {
  if (Array.isArray(recorded) && Array.isArray(today))
    return today.map((item, at) => (at < recorded.length ? asRecorded(recorded[at], item) : item));
  if (!isObject(recorded) || !isObject(today)) return today;
  return Object.fromEntries(
    Object.entries(today)
      .filter(([name]) => Object.hasOwn(recorded, name))
      .map(([name, value]) => [
        name,
        name === "error" ? withRecordedWording(recorded[name], value) : asRecorded(recorded[name], value),
      ]),
  );
}

/** The same for an event, whose envelope stays as it is: fields are added only to its `data`. */
export const eventAsRecorded = (recorded: unknown, today: unknown): unknown =>
  isObject(recorded) && isObject(today) ? { ...today, data: asRecorded(recorded.data, today.data) } : today;

function withRecordedWording(recorded: unknown, today: unknown): unknown {
  const seen = asRecorded(recorded, today);
  if (!isObject(recorded) || !isObject(seen)) return seen;
  return Object.fromEntries(
    Object.entries(seen).map(([name, value]) => [
      name,
      wordings.includes(name) && typeof value === typeof recorded[name] ? recorded[name] : value,
    ]),
  );
}
