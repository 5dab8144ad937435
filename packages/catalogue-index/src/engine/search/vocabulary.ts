import { type QueryWord, readQuery } from "@beatmarket/foundation/text/search-words.ts";
import { isGenreName } from "./spellings.ts";

// The words that artists use for music, whatever a catalogue has. docs/api/search.md, What artists type, shows them to readers.

/**
 * Words for what a beat is, not for one of them: they are left out where nothing has them. Source: titles and search boxes of shops for
 * beats, where "type beat" follows the name of an artist.
 */
const fillers: ReadonlySet<string> = new Set(
  "a beat beats best cheap for free in instrumental instrumentals like music new style the to type with".split(" "),
);

/**
 * Moods and manners, which are no typing errors of anything. Source: the mood clusters of MIREX (Hu and Downie, "Exploring Mood Metadata",
 * ISMIR 2007), and the words of genres' articles in the English Wikipedia.
 */
const musicWords: ReadonlySet<string> = new Set(
  `aggressive angry atmospheric bouncy bright brooding calm cheerful chill cinematic cold dark dreamy emotional energetic epic
   ethereal fast fun groovy happy hard heavy hype intense jazzy lofi mellow melancholic melodic moody nostalgic romantic sad slow
   smooth soft soulful spacey tense trippy upbeat uplifting vintage warm
   bass bell brass cello choir drum drums flute guitar harp horn organ pad piano pluck sax saxophone strings sub synth trumpet violin
   vocal vocals 808`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * What people type for a family of genres, and the genres of it. Source: the articles Hip-hop, Electronic dance music, Jungle music and
 * Latin music in the English Wikipedia, where they list subgenres.
 */
const families: readonly [typed: readonly string[], genres: readonly string[]][] = [
  [
    ["hip hop", "hiphop", "rap"],
    ["hip hop", "rap", "boom bap", "trap", "drill", "lo fi", "phonk"],
  ],
  [
    ["edm", "electronic", "dance"],
    ["edm", "electronic", "house", "techno", "dubstep", "drum & bass"],
  ],
  [["jungle"], ["jungle", "drum & bass"]],
  [["soul"], ["soul", "neo soul", "r&b"]],
  [["latin"], ["latin", "reggaeton", "dembow"]],
];

/** Moods that say the same. Source: the clusters of MIREX, as above. */
const moods: readonly [typed: readonly string[], moods: readonly string[]][] = [
  [
    ["sad", "melancholic", "emotional"],
    ["sad", "brooding", "moody", "mellow", "nostalgic", "tense"],
  ],
  [
    ["chill", "relaxed"],
    ["chill", "mellow", "calm", "unhurried", "smooth", "sleepy"],
  ],
  [
    ["happy", "cheerful", "fun"],
    ["happy", "sunny", "uplifting", "bright", "playful", "sweet", "festive"],
  ],
];

const synonyms: readonly { typed: readonly QueryWord[]; instead: readonly QueryWord[][] }[] = [
  ...families,
  ...moods,
].flatMap(([typed, instead]) =>
  typed.map((text) => ({ typed: readQuery(text), instead: instead.map((each) => readQuery(each)) })),
);

export const isFiller = ({ kind, text }: QueryWord): boolean => kind === "word" && fillers.has(text);

const wordsOfNames: ReadonlySet<string> = new Set(synonyms.flatMap(({ typed }) => typed.map(({ text }) => text)));

/** Whether it is a mood, an instrument, or a word of a genre's name, also of a short one. */
export const isMusicWord = ({ text }: Pick<QueryWord, "text">): boolean =>
  musicWords.has(text) || wordsOfNames.has(text) || isGenreName(text);

/** The text with the words of a family in place of one of its names; none if it names no family. */
export function withSynonyms(typed: readonly QueryWord[]): QueryWord[][] {
  for (const { typed: phrase, instead } of synonyms)
    for (let at = 0; at + phrase.length <= typed.length; at++) {
      if (!phrase.every(({ text }, offset) => typed[at + offset]?.text === text)) continue;
      return instead.map((words) => typed.toSpliced(at, phrase.length, ...words));
    }
  return [];
}

/** The text with two words written as one, for each pair that `isInUse` so: dub step is dubstep. */
export const withJoinedWords = (typed: readonly QueryWord[], isInUse: (text: string) => boolean): QueryWord[][] =>
  typed.slice(1).flatMap((second, at) => {
    const first = typed[at];
    if (first?.kind !== "word" || second.kind !== "word") return [];
    const text = first.text + second.text;
    return isInUse(text) ? [typed.toSpliced(at, 2, { kind: "word", text })] : [];
  });
