type Random = () => number;

/** Longer titles are cut. */
const maxWords = 12;
/** A growing catalogue keeps adding new words. */
const newWordShare = 0.08;
const longWord = /^\p{L}{5,}$/u;

/**
 * Joins the beginning of one title and the end of another: word frequencies stay the same, neighbours change. Sometimes two
 * long words form a new one.
 */
export function splicedTitle(own: string, other: string, random: Random): string {
  const ours = words(own);
  const theirs = words(other);
  const head = ours.slice(0, 1 + Math.floor(random() * ours.length));
  const tail = theirs.slice(Math.floor(random() * theirs.length));
  const spliced = (random() < 0.5 ? [...head, ...tail] : [...tail, ...head]).slice(0, maxWords);
  if (random() < newWordShare) blend(spliced, theirs, random);
  return spliced.join(" ");
}

/** The first word of one name and the last of another. */
export function splicedName(own: string, other: string): string {
  return [words(own)[0], words(other).at(-1)].join(" ");
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

function blend(title: string[], others: string[], random: Random): void {
  const at = title.findIndex((word) => longWord.test(word));
  const other = others.filter((word) => longWord.test(word)).at(Math.floor(random() * 3) - 1);
  const own = title[at];
  if (own === undefined || other === undefined) return;
  title[at] = own.slice(0, Math.ceil(own.length / 2)) + other.slice(Math.floor(other.length / 2));
}
