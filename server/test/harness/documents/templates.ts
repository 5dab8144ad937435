/**
 * The template literals of a source file, with `\0` in place of each expression. Literals within an expression come
 * first.
 */
export function templatesIn(source: string): string[] {
  const templates: string[] = [];
  let at = 0;

  function skipString(quote: string): void {
    for (at++; at < source.length && source[at] !== quote && source[at] !== "\n"; at++) if (source[at] === "\\") at++;
    at++;
  }

  function readTemplate(): void {
    let text = "";
    for (at++; at < source.length && source[at] !== "`"; ) {
      if (source[at] === "$" && source[at + 1] === "{") {
        at += 2;
        readCode("}");
        text += "\0";
      } else {
        if (source[at] === "\\") text += source[at++];
        text += source[at++];
      }
    }
    at++;
    templates.push(text);
  }

  /** Reads code up to the closing brace of an expression, or to the end of the file. */
  function readCode(end: "}" | null): void {
    for (let depth = 0; at < source.length; ) {
      const sign = source[at];
      if (sign === "`") readTemplate();
      else if (sign === '"' || sign === "'") skipString(sign);
      else if (source.startsWith("//", at)) at = endOf("\n");
      else if (source.startsWith("/*", at)) at = endOf("*/");
      else if (isRegExp()) at = regExpEnd();
      else {
        at++;
        if (sign === "{") depth++;
        if (sign === "}" && end === "}" && depth-- === 0) return;
      }
    }
  }

  function endOf(mark: string): number {
    const end = source.indexOf(mark, at);
    return end < 0 ? source.length : end + mark.length;
  }

  /** A slash begins a regular expression unless it can follow a value; then it is a division. */
  const isRegExp = (): boolean =>
    source[at] === "/" && /(^|[(,=:[!&|?{};+\n]|=>|return)\s*$/.test(source.slice(Math.max(0, at - 40), at));

  const regExpEnd = (): number => {
    const match = /^\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/[a-z]*/.exec(source.slice(at, at + 2_000));
    return at + (match?.[0].length ?? 1);
  };

  readCode(null);
  return templates;
}
