const initialisms: ReadonlySet<string> = new Set(["id", "url", "bpm", "sha256"]);

/**
 * A wire name as an exported name of Go: `beat_id` as BeatID, `beat.created` as BeatCreated, `listBeats` as ListBeats.
 */
export const goName = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => {
      if (word === "ids") return "IDs";
      return initialisms.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join("");
