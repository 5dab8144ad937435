import { createElement, Fragment, type ReactNode } from "react";
import type { Portal } from "../../../contract/texts/en/portal/index.ts";
import type { Names } from "../../../contract/texts/text.ts";
import { locale } from "../api/locale.ts";

/** Creates an element that contains the words between the placeholder and `{end}`. */
type Markup = (words: ReactNode) => ReactNode;

type Values<Written> = Readonly<Record<Exclude<Names<Written>, "end" | "count">, ReactNode | Markup>> &
  ("count" extends Names<Written> ? { count: number } : unknown);

/**
 * A translated text that contains elements. The value of a placeholder is an element, or a function that creates one
 * from the words up to `{end}`: `words("signIn.new", { link: (text) => <Link to="/register">{text}</Link> })`.
 */
export function words<Key extends keyof Portal>(key: Key, values: Values<Portal[Key]>): ReactNode {
  const valueByName = values as Readonly<Record<string, ReactNode | Markup>>;
  const parts = locale.form(key, Number(valueByName.count)).split(/\{(\w+)\}/);
  const nodes: ReactNode[] = [];
  let markup: Markup | null = null;
  let inner: ReactNode[] = [];
  parts.forEach((part, index) => {
    const value = index % 2 === 0 ? part : valueByName[part];
    if (index % 2 === 1 && part === "end") {
      nodes.push(markup?.(fragment(inner)));
      markup = null;
      inner = [];
    } else if (typeof value === "function") markup = value;
    else (markup === null ? nodes : inner).push(typeof value === "number" ? locale.number(value) : value);
  });
  return fragment(nodes);
}

/** Joins nodes. A single text is returned as a string, because some components need one. */
function fragment(nodes: readonly ReactNode[]): ReactNode {
  const visible = nodes.filter((node) => node !== "");
  return visible.length === 1 ? visible[0] : createElement(Fragment, null, ...visible);
}
