import ts from "typescript";

/** Attributes of elements that readers see or hear, and fields of objects that become such attributes. */
const isOfText = (name: string): boolean =>
  /^(?:label|\w+Label|title|lead|description|placeholder|aria-label|alt|note)$/.test(name);

/** A key of contract/texts, which the component looks up. */
const isKey = (text: string): boolean => /^[a-z]+(?:\.\w+)+$/.test(text);

/** Texts that are the same in all languages: numbers, signs, names of keys, addresses, formats, units. */
const isNeutral = (text: string): boolean =>
  !/[a-zA-Z]{2}/.test(text) ||
  isKey(text) ||
  /^(?:https?:\/\/.*|Enter|Esc|UTC|BPM|MP3|WAV|CSV|PDF|IBAN|kHz|BCDF-GHJK)$/.test(text);

interface JsxTexts {
  /** Texts of elements and attributes that are written in the source. */
  sourceTexts: string[];
  /** Calls of `t` and `words` that run when the module loads, before the texts of another area are available. */
  earlyKeys: string[];
}

/** Finds the texts in a source of the portal that are not in contract/texts, and the texts that are read too early. */
export function jsxTexts(path: string, source: string): JsxTexts {
  const texts: JsxTexts = { sourceTexts: [], earlyKeys: [] };
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const note = (text: string) => {
    if (!isNeutral(text.trim())) texts.sourceTexts.push(text.trim().replace(/\s+/g, " "));
  };
  /** The possible texts of an expression. */
  const results = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) note(node.text);
    else if (ts.isTemplateExpression(node))
      note([node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(" "));
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(results);
    else if (ts.isBinaryExpression(node)) results(node.right);
    else if (ts.isParenthesizedExpression(node)) results(node.expression);
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) results(node.body);
  };
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (ts.isJsxText(node)) note(node.text);
    else if (ts.isJsxAttribute(node) && isOfText(node.name.getText(file))) {
      const { initializer } = node;
      if (initializer !== undefined && ts.isStringLiteral(initializer)) note(initializer.text);
      if (initializer !== undefined && ts.isJsxExpression(initializer) && initializer.expression)
        results(initializer.expression);
    } else if (ts.isPropertyAssignment(node) && isOfText(node.name.getText(file).replaceAll('"', ""))) {
      results(node.initializer);
    } else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression) results(node.expression);
    else if (!isInFunction && ts.isCallExpression(node) && /^(t|words)$/.test(node.expression.getText(file)))
      texts.earlyKeys.push(node.getText(file));
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)));
  };
  visit(file, false);
  return texts;
}
