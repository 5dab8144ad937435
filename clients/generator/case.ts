/** `display_name` as displayName. */
export const camelCase = (name: string): string =>
  name.replace(/[_.]([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/** `display_name` as DisplayName, `beat.created` as BeatCreated. */
export const pascalCase = (name: string): string => camelCase(`_${name}`);
