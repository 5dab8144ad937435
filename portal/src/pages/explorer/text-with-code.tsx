import { Code } from "@mantine/core";

/** A description of openapi.json with its `code` spans. */
export function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]*)`/).map((piece, index) => {
    const key = `${index} ${piece}`;
    return index % 2 === 1 ? <Code key={key}>{piece}</Code> : <span key={key}>{piece}</span>;
  });
}
