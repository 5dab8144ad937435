import { Code } from "@mantine/core";

/** A text of the API's document: what stands in backticks is code. */
export function Described({ text }: { text: string }) {
  return text.split(/`([^`]*)`/).map((piece, index) => {
    const key = `${index} ${piece}`;
    return index % 2 === 1 ? <Code key={key}>{piece}</Code> : <span key={key}>{piece}</span>;
  });
}
