import { Anchor, Text } from "@mantine/core";
import type { Interpretation } from "../../../api/catalogue.ts";
import { tempoText } from "../filters/facet-text.ts";

interface UnderstoodProps {
  interpreted: Interpretation;
  /** Searches for the text as it is. */
  onWords: () => void;
}

/** What was understood of the words: tempo, keys, corrected and left out ones. Nothing where they are taken as they are. */
export function Understood({ interpreted, onWords }: UnderstoodProps) {
  const { q, bpm_min, bpm_max, key, corrected = {}, ignored = [] } = interpreted;
  const tempo = tempoText(bpm_min, bpm_max);
  const read = [tempo, key?.replaceAll(",", " or ") ?? null].filter((text) => text !== null);
  const corrections = Object.entries(corrected);
  if (read.length === 0 && corrections.length === 0 && ignored.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" component="p" m={0}>
      {read.length > 0 && (
        <>
          Read as <strong>{[...read, ...(q === "" ? [] : [`“${q}”`])].join(", ")}</strong>.{" "}
          <Anchor component="button" type="button" inherit onClick={onWords}>
            Search for the words instead
          </Anchor>
          .{" "}
        </>
      )}
      {corrections.map(([word, better]) => (
        <span key={word}>
          Nothing has “<bdi>{word}</bdi>”: these are for{" "}
          <strong>
            “<bdi>{better}</bdi>”
          </strong>
          .{" "}
        </span>
      ))}
      {ignored.length > 0 && <span>Left out, since nothing has it: {ignored.join(", ")}.</span>}
    </Text>
  );
}
