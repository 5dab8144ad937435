/** Texts that clients may show but must not depend on. */
const wordings = ["message", "details"];

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reduces a current response to what a client of the recorded response sees (docs/api/versioning.md, Compatible
 * changes): removes the fields that were added to objects, and restores the recorded wording of errors. All other
 * differences remain.
 */
export function asRecorded(recorded: unknown, today: unknown): unknown {
  if (Array.isArray(recorded) && Array.isArray(today))
    return today.map((item, index) => (index < recorded.length ? asRecorded(recorded[index], item) : item));
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

/** Reduces a current event like `asRecorded`. Only its `data` may get new fields; the envelope is unchanged. */
export const eventAsRecorded = (recorded: unknown, today: unknown): unknown =>
  isObject(recorded) && isObject(today) ? { ...today, data: asRecorded(recorded.data, today.data) } : today;

function withRecordedWording(recorded: unknown, today: unknown): unknown {
  const reduced = asRecorded(recorded, today);
  if (!isObject(recorded) || !isObject(reduced)) return reduced;
  return Object.fromEntries(
    Object.entries(reduced).map(([name, value]) => [
      name,
      wordings.includes(name) && typeof value === typeof recorded[name] ? recorded[name] : value,
    ]),
  );
}
