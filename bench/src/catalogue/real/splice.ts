type Random = () => number;

/** Longer titles are cut. */
const maxWords = 12;
/** A growing catalogue keeps adding new words. */
const newWordShare = 0.08;
const longWord = /^\p{L}{5,}$/u;

/**
 * Joins the beginning of one title and the end of another, in either order: word frequencies stay the same, neighbours
 * change. Sometimes two long words form a new one.
 */
export function splicedTitle(title: string, other: string, random: Random): string {
  const titleWords = words(title);
  const otherWords = words(other);
  const head = titleWords.slice(0, 1 + Math.floor(random() * titleWords.length));
  const tail = otherWords.slice(Math.floor(random() * otherWords.length));
  const spliced = (random() < 0.5 ? [...head, ...tail] : [...tail, ...head]).slice(0, maxWords);
  if (random() < newWordShare) blend(spliced, otherWords, random);
  return spliced.join(" ");
}

/** The first word of one name and the last of another. */
export function splicedName(name: string, other: string): string {
  return [words(name)[0], words(other).at(-1)].join(" ");
}

/** The script of a text. Titles are only spliced with titles of the same script. */
export function scriptOf(text: string): string {
  const script = scripts.find(({ letters }) => letters.test(text));
  return script?.name ?? "other";
}

const scripts = [
  { name: "cyrillic", letters: /\p{Script=Cyrillic}/u },
  { name: "arabic", letters: /\p{Script=Arabic}/u },
  { name: "hebrew", letters: /\p{Script=Hebrew}/u },
  { name: "east asian", letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u },
  { name: "latin", letters: /\p{Script=Latin}/u },
];

const words = (text: string): string[] => text.trim().split(/\s+/);

function blend(title: string[], otherWords: string[], random: Random): void {
  const wordIndex = title.findIndex((word) => longWord.test(word));
  const other = otherWords.filter((word) => longWord.test(word)).at(Math.floor(random() * 3) - 1);
  const longWordOfTitle = title[wordIndex];
  if (longWordOfTitle === undefined || other === undefined) return;
  title[wordIndex] =
    longWordOfTitle.slice(0, Math.ceil(longWordOfTitle.length / 2)) + other.slice(Math.floor(other.length / 2));
}
