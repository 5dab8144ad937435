import { type QueryWord, readQuery } from "@beatmarket/foundation/text/search-words.ts";
import { isGenreName } from "./spellings.ts";

// Words that artists use for music, independent of the catalogue. docs/api/search.md, What artists type, documents
// them.

/**
 * Words for beats in general: they are left out if nothing matches them. Source: titles and search boxes of beat shops,
 * where "type beat" follows the name of an artist.
 */
const fillers: ReadonlySet<string> = new Set(
  "a beat beats best cheap for free in instrumental instrumentals like music new style the to type with".split(" "),
);

/**
 * Moods and instruments, which are never corrected. Source: the mood clusters of MIREX (Hu and Downie, "Exploring Mood
 * Metadata", ISMIR 2007), and the words of genres' articles in the English Wikipedia.
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
 * Names for a family of genres, and the genres in it. Source: the lists of subgenres in the articles Hip-hop,
 * Electronic dance music, Jungle music, Latin music and Afrobeats of the English Wikipedia.
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
  [
    ["afro", "afropop"],
    ["afro", "afropop", "afrobeats"],
  ],
];

/** Moods with the same meaning. Source: the clusters of MIREX, as above. */
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

/** Whether it is a mood, an instrument, a word in the name of a family, or a short name of a genre. */
export const isMusicWord = ({ text }: Pick<QueryWord, "text">): boolean =>
  musicWords.has(text) || wordsOfNames.has(text) || isGenreName(text);

/** Returns the text with each genre or mood of a family instead of the family's name; empty if it names no family. */
export function withFamilyMembers(typed: readonly QueryWord[]): QueryWord[][] {
  for (const { typed: phrase, instead } of synonyms)
    for (let index = 0; index + phrase.length <= typed.length; index++) {
      if (!phrase.every(({ text }, offset) => typed[index + offset]?.text === text)) continue;
      return instead.map((words) => typed.toSpliced(index, phrase.length, ...words));
    }
  return [];
}

/** Returns the words that name a family of genres or moods: they mean something, even where nothing has them. */
export const familyWords = (typed: readonly QueryWord[]): ReadonlySet<string> =>
  new Set(
    synonyms
      .map(({ typed: phrase }) => phrase.map(({ text }) => text))
      .filter((phrase) =>
        typed.some((_, index) => phrase.every((text, offset) => typed[index + offset]?.text === text)),
      )
      .flat(),
  );

/** Joins two adjacent words, for each pair whose joined word `isInUse`: dub step is dubstep. */
export const withJoinedWords = (typed: readonly QueryWord[], isInUse: (text: string) => boolean): QueryWord[][] =>
  typed.slice(1).flatMap((second, index) => {
    const first = typed[index];
    if (first?.kind !== "word" || second.kind !== "word") return [];
    const text = first.text + second.text;
    return isInUse(text) ? [typed.toSpliced(index, 2, { kind: "word", text })] : [];
  });
