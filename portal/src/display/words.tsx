import { createElement, Fragment, type ReactNode } from "react";
import type { Portal } from "../../../contract/texts/en/portal/index.ts";
import type { Names } from "../../../contract/texts/text.ts";
import { locale } from "../api/locale.ts";

/** Makes an element of the words between its placeholder and `{end}`. */
type Markup = (words: ReactNode) => ReactNode;

type Values<Written> = Readonly<Record<Exclude<Names<Written>, "end" | "count">, ReactNode | Markup>> &
  ("count" extends Names<Written> ? { count: number } : unknown);

/**
 * A text with elements in it. A placeholder is an element, or a function that makes one of the words up to `{end}`:
 * `words("signIn.new", { link: (text) => <Link to="/register">{text}</Link> })`.
 */
export function words<Key extends keyof Portal>(key: Key, values: Values<Portal[Key]>): ReactNode {
  const given = values as Readonly<Record<string, ReactNode | Markup>>;
  const parts = locale.form(key, Number(given.count)).split(/\{(\w+)\}/);
  const nodes: ReactNode[] = [];
  let markup: Markup | null = null;
  let inner: ReactNode[] = [];
  parts.forEach((part, index) => {
    const value = index % 2 === 0 ? part : given[part];
    if (index % 2 === 1 && part === "end") {
      nodes.push(markup?.(fragment(inner)));
      markup = null;
      inner = [];
    } else if (typeof value === "function") markup = value;
    else (markup === null ? nodes : inner).push(typeof value === "number" ? locale.number(value) : value);
  });
  return fragment(nodes);
}

/** A text alone stays one, for components that need it. */
function fragment(nodes: readonly ReactNode[]): ReactNode {
  const shown = nodes.filter((node) => node !== "");
  return shown.length === 1 ? shown[0] : createElement(Fragment, null, ...shown);
}
