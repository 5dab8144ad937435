import { SeededRandom } from "../../../src/demo/random.ts";
import type { SearchableBeat } from "./searchable-beats.ts";

const onsets = "b,br,c,ch,cl,d,dr,f,fl,g,gr,h,j,k,l,m,n,p,pr,qu,r,s,sc,sh,sl,st,t,tr,v,w,z".split(",");
const vowels = "a,e,i,o,u,a,e,o,ai,ea,ou".split(",");
const codas = ",,,,n,r,l,s,t,m,nd,st,ck,rt,x".split(",");

const wordCount = 12_000;
const producerCount = 6_000;

/**
 * So many beats whose words and producers are as unevenly frequent as in a real catalogue: the n-th word or producer
 * comes up in proportion to 1/n, the most frequent producers have the most plays. Words are invented; the same seed gives the same.
 */
export function inventedCatalogue(count: number, seed: number): SearchableBeat[] {
  const random = new SeededRandom(seed);
  const words = Array.from({ length: wordCount }, () => inventWord(random));
  const frequent = <Its>(all: readonly Its[]): Its => all[Math.floor(all.length ** random.fraction()) - 1] as Its;
  const phrase = (of: readonly string[], most: number) =>
    Array.from({ length: 1 + Math.floor(random.fraction() * most) }, () => frequent(of)).join(" ");
  const rareWords = words.slice(200);
  const producers = Array.from(new Set(Array.from({ length: producerCount }, () => phrase(rareWords, 3))));
  return Array.from({ length: count }, () => {
    const by = frequent(producers);
    const plays = Math.floor((1_000 * random.fraction()) / (1 + producers.indexOf(by)));
    return { title: phrase(words, 5), by, plays };
  });
}

function inventWord(random: SeededRandom): string {
  const syllables = 2 + Math.floor(random.fraction() * 2);
  const letters = Array.from(
    { length: syllables },
    () => random.pick(onsets) + random.pick(vowels) + random.pick(codas),
  ).join("");
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}
