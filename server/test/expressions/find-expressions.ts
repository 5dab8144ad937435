import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

/** A regular expression in a source file. */
export interface FoundExpression {
  file: string;
  line: number;
  expression: RegExp;
}

/** A call of RegExp whose expression is computed at run time, so it cannot be judged here. */
export interface ComputedExpression {
  file: string;
  line: number;
  text: string;
}

const repository = join(import.meta.dirname, "../../..");

/** All regular expressions of the sources of the server and the packages, without their tests. */
export async function findExpressions(): Promise<{
  expressions: FoundExpression[];
  computedExpressions: ComputedExpression[];
}> {
  const files = await Array.fromAsync(
    glob("{server,packages/*}/src/**/*.ts", { cwd: repository, exclude: ["**/*.test.ts", "**/node_modules"] }),
  );
  const perFile = await Promise.all(
    files.sort().map(async (file) => expressionsIn(file, await readFile(join(repository, file), "utf8"))),
  );
  return {
    expressions: perFile.flatMap(({ expressions }) => expressions),
    computedExpressions: perFile.flatMap(({ computedExpressions }) => computedExpressions),
  };
}

/**
 * The regular expressions of a source text. A copy of a literal, `new RegExp(name, flags)`, is judged through the
 * literal.
 */
export function expressionsIn(
  file: string,
  source: string,
): { expressions: FoundExpression[]; computedExpressions: ComputedExpression[] } {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const expressions: FoundExpression[] = [];
  const computedExpressions: ComputedExpression[] = [];
  const literals = new Set<string>();
  const lineOf = (node: ts.Node) => root.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      expressions.push({ file, line: lineOf(node), expression });
    }
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isLiteral(node))
      literals.add(node.name.getText());
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
      const [first] = node.arguments ?? [];
      if (first === undefined || !(ts.isIdentifier(first) && literals.has(first.text)))
        computedExpressions.push({ file, line: lineOf(node), text: node.getText() });
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return { expressions, computedExpressions };
}

const isLiteral = ({ initializer, parent }: ts.VariableDeclaration): boolean =>
  initializer !== undefined &&
  ts.isRegularExpressionLiteral(initializer) &&
  ts.isVariableDeclarationList(parent) &&
  (parent.flags & ts.NodeFlags.Const) !== 0;
