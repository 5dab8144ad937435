/** A moment as an input of the type datetime-local has it, in the visitor's time zone; empty for none. */
export function toLocalInput(iso: string | undefined): string {
  const date = new Date(iso ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such an input holds; undefined while it is incomplete. */
export function fromLocalInput(text: string): string | undefined {
  const date = new Date(text === "" ? Number.NaN : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
