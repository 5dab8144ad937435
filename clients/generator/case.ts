/** Converts `display_name` to displayName. */
export const camelCase = (name: string): string =>
  name.replace(/[_.]([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/** Converts `display_name` to DisplayName, and `beat.created` to BeatCreated. */
export const pascalCase = (name: string): string => camelCase(`_${name}`);
