import { createHash } from "node:crypto";

/** Accents and the like. In other scripts a mark makes another letter: ビ and ヒ, दि and द. */
const foldedMarks = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu;
/** At the end of a word they belong to it: C++, C#. */
const otherSigns = /(?<![\p{L}\p{M}\p{N}+#])[+#]+|[+#]+(?=[\p{L}\p{M}\p{N}])/gu;

/** The slug that identifies a genre: "Hip-Hop" and "hip hop" are the same genre. Pure. */
export const genreSlug = (name: string): string =>
  slugOf(
    name,
    (text) => text.replace(foldedMarks, "$1").replaceAll("♯", "#").replace(otherSigns, " "),
    /[^\p{L}\p{M}\p{N}+#]+/gu,
  );

/** The slug of releases before marks of all scripts and signs counted. Genres that have one in common were one. Pure. */
export const foldedGenreSlug = (name: string): string =>
  slugOf(name, (text) => text.replace(/\p{M}/gu, ""), /[^\p{L}\p{N}]+/gu);

function slugOf(name: string, fold: (text: string) => string, gaps: RegExp): string {
  const slug = fold(name.normalize("NFKD"))
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(gaps, "-")
    .replace(/^-|-$/g, "")
    .normalize("NFC");
  return slug === "" ? `genre-${createHash("sha256").update(name).digest("hex").slice(0, 8)}` : slug;
}
