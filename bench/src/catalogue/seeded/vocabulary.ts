import { wordLengths, wordShares } from "./measured.ts";
import { seededRandom } from "./random.ts";
import { powerLaw, type Random } from "./sampling.ts";

/** Common words come first, as in every catalogue; the others are invented. */
const commonWords =
  `the you i of a me in to love my it on and no for your is mix remix with all be up one like live time do this
  down go we night radio man get song back blues that good heart world life girl way take rock at little baby day die so
  never can know just come let home new over by dance more again fire how mind will here eyes have bad boy say too last
  sun feel right light long big where rain about dream see as young lost high edit version original instrumental beat
  summer blue black gold street city freestyle type drill trap soul lofi interlude intro`.split(/\s+/);

const onsets = `b c d f g h j k l m n p r s t v w z ch sh th br cr dr fr gr pr tr bl cl fl pl sl st sp sc sw qu str
  m s c b p d t r l s m c`.split(/\s+/);
const vowels = "a e i o u a e i o e a y ea ou ai oo ie".split(" ");
const codas = ["", "", "", "", "n", "r", "s", "l", "t", "m", "ng", "nd", "st", "ck", "rt", "x", "nt", "d"];
const accents: Readonly<Record<string, string>> = { a: "á", e: "é", i: "í", o: "ö", u: "ü" };
/** Share of invented words with an accent, as measured. */
const accentShare = 0.045;
const maxCached = 200_000;

const rankAt = powerLaw(wordShares);
const words: string[] = [];

/** A random word by frequency. With `from` above 0, only from the rarer end. */
export const drawWord = (random: Random, from = 0): string => wordOfRank(rankAt(from + random() * (1 - from)));

/** The word of this rank, which is the same in every catalogue. */
function wordOfRank(rank: number): string {
  const common = commonWords[rank - 1];
  if (common !== undefined) return common;
  if (rank > maxCached) return invented(rank);
  words[rank] ??= invented(rank);
  return words[rank];
}

function invented(rank: number): string {
  const random = seededRandom(rank * 7_919);
  const pick = (parts: readonly string[]) => parts[Math.floor(random() * parts.length)] ?? "";
  const mean = wordLengths.find(([upTo]) => rank <= upTo)?.[1] ?? 7;
  // Two random fractions add up to 1 on average, so this is on average 0.85 of the mean; the last syllable exceeds it.
  const length = mean * (0.45 + (random() + random()) * 0.4);
  let word = random() < 0.15 ? pick(vowels) : "";
  while (word.length < length) word += pick(onsets) + pick(vowels) + (word.length < length - 3 ? "" : pick(codas));
  return random() < accentShare ? word.replace(/[aeiou]/, (letter) => accents[letter] ?? letter) : word;
}
