import type { DrumName } from "./drum-voices.ts";
import type { ToneName } from "./tone-voices.ts";

/**
 * The style of a genre. A pattern has a character for each sixteenth of half a bar, one bar or two bars. "." is a rest.
 * In patterns of drums, "x" is a strong stroke, "o" a soft one, "r" two and "t" three quick strokes. In patterns of the
 * bass, "1", "5" and "8" are the root, the fifth and the octave of the chord. In patterns of chords, "x" is strong and
 * "o" is soft. A bass note or a chord lasts for at most `maxSteps` sixteenths.
 */
export interface Style {
  drums: Partial<Record<DrumName, string>>;
  bass: { voice: ToneName; pattern: string; maxSteps: number };
  chords: { voice: ToneName; pattern: string; maxSteps: number; tones: 3 | 4 };
  lead: ToneName;
  /** The delay of every second sixteenth, in sixteenths. */
  swing: number;
  /** How much the kick lowers bass and chords, 0 to 1. */
  duck: number;
  /** The level of the reverberation, 0 to 1. */
  room: number;
}

const offbeats = "..x...x...x...x.";
const fourOnTheFloor = "x...x...x...x...";
const backbeat = "....x.......x...";

/** By the name of the genre. */
// biome-ignore format: patterns of a genre stand together.
const styles = {
  Trap: {
    drums: { deepKick: "x.....x...x.....x..x......x.....", snare: "........x...............x......o", clap: "........x...............x.......", hat: "x.x.x.x.x.xrx.x.x.xtx.x.xrx.x.tx" },
    bass: { voice: "eightOhEight", pattern: "1.....1...1.....1..1......8.....", maxSteps: 6 },
    chords: { voice: "bell", pattern: "x...............", maxSteps: 14, tones: 3 },
    lead: "bell", swing: 0, duck: 0.25, room: 0.3,
  },
  Drill: {
    drums: { deepKick: "x.......o..x....x.....x....x....", snare: "......x.......x.......x......x..", hat: "x..x..x.x..x..xrx..x..x.x..tx.x.", rim: "..............o...........o....." },
    bass: { voice: "eightOhEight", pattern: "1......5...1....1.....8....1....", maxSteps: 5 },
    chords: { voice: "strings", pattern: "x...............", maxSteps: 14, tones: 3 },
    lead: "piano", swing: 0, duck: 0.2, room: 0.35,
  },
  "Boom Bap": {
    drums: { kick: "x......x..x.....x..x...x..x.....", dustySnare: "....x.......x..o....x..o....x...", hat: "x.o.x.o.x.o.x.o.x.o.x.o.x.oox.o." },
    bass: { voice: "bass", pattern: "1......1..5.....1..5...1..8.....", maxSteps: 3 },
    chords: { voice: "electricPiano", pattern: "x.........x.....", maxSteps: 6, tones: 4 },
    lead: "flute", swing: 0.3, duck: 0.1, room: 0.15,
  },
  "Lo-Fi": {
    drums: { softKick: "x.......x.x.....x......x..x.....", brush: backbeat, hat: "o.o.o.o.o.o.o.oo", rim: "...............o" },
    bass: { voice: "subBass", pattern: "1.........5.....1......1..5.....", maxSteps: 5 },
    chords: { voice: "electricPiano", pattern: "x......o..x.....", maxSteps: 7, tones: 4 },
    lead: "guitar", swing: 0.28, duck: 0.15, room: 0.3,
  },
  "R&B": {
    drums: { deepKick: "x.....x...x.....x.....x..x......", clap: "....x.......x...", rim: "..........o..o..", hat: "x.xox.x.x.x.xrx." },
    bass: { voice: "subBass", pattern: "1.....1...5.....1.....1..8......", maxSteps: 6 },
    chords: { voice: "electricPiano", pattern: "x.....x.........", maxSteps: 8, tones: 4 },
    lead: "guitar", swing: 0.12, duck: 0.2, room: 0.3,
  },
  "Neo Soul": {
    drums: { kick: "x......o..x..x..x......x..x.....", rim: backbeat, brush: "..........o....o", hat: "x.x.x.xox.x.x.x.", shaker: offbeats },
    bass: { voice: "bass", pattern: "1..5...1..8..5..1..5...1..5..8..", maxSteps: 3 },
    chords: { voice: "electricPiano", pattern: "x.....x....o....", maxSteps: 5, tones: 4 },
    lead: "electricPiano", swing: 0.26, duck: 0.1, room: 0.2,
  },
  House: {
    drums: { kick: fourOnTheFloor, clap: backbeat, openHat: offbeats, shaker: "xoxoxoxoxoxoxoxo" },
    bass: { voice: "organBass", pattern: "..1...1..1..8.1...1...1..5..8.5.", maxSteps: 2 },
    chords: { voice: "piano", pattern: "x..x..x...x..x..", maxSteps: 2, tones: 3 },
    lead: "organ", swing: 0.06, duck: 0.45, room: 0.25,
  },
  "Deep House": {
    drums: { softKick: fourOnTheFloor, clap: "....o.......o...", openHat: "..o...o...o...o.", shaker: "o.ooo.ooo.ooo.oo", conga: "...o..o....o.o.." },
    bass: { voice: "subBass", pattern: "..1..1..1...5.....1..1..8.5.....", maxSteps: 3 },
    chords: { voice: "organ", pattern: "...x......x.....", maxSteps: 3, tones: 4 },
    lead: "marimba", swing: 0.1, duck: 0.5, room: 0.4,
  },
  Techno: {
    drums: { hardKick: fourOnTheFloor, openHat: offbeats, hat: "o.o.o.ooo.o.o.oo", rim: "...x..x....x..x.", clap: "............x..." },
    bass: { voice: "acid", pattern: ".11.1.18.11.5.1.", maxSteps: 1 },
    chords: { voice: "stab", pattern: "...x..x...x..o..", maxSteps: 3, tones: 3 },
    lead: "synth", swing: 0, duck: 0.55, room: 0.4,
  },
  "Drum & Bass": {
    drums: { kick: "x.........x.....x.........x..o..", snare: "....x.......x...", dustySnare: ".......o.o.....o.......o.o....o.", hat: "x.x.x.x.x.x.x.x.", shaker: "ooooooooooooooo." },
    bass: { voice: "reese", pattern: "1.........1.......1.......5...8.", maxSteps: 7 },
    chords: { voice: "pad", pattern: "x...............................", maxSteps: 30, tones: 4 },
    lead: "piano", swing: 0, duck: 0.2, room: 0.4,
  },
  Dubstep: {
    drums: { hardKick: "x.............x.x.....x.........", snare: "........x.......", clap: "........o.......", hat: "x...x...x...x.tx" },
    bass: { voice: "wobble", pattern: "1..1..1.8...1.1.1..1..1.5.1.1...", maxSteps: 3 },
    chords: { voice: "pad", pattern: "x...............", maxSteps: 10, tones: 3 },
    lead: "synth", swing: 0, duck: 0.3, room: 0.4,
  },
  "UK Garage": {
    drums: { kick: "x.........x.....x......x..x.....", clap: backbeat, rim: ".......o..o....o", hat: "..xo..x...xo..xo", openHat: "..x.....", shaker: "o.o.o.o.o.o.o.o." },
    bass: { voice: "organBass", pattern: "1..1......5.8...1..1...8..5.....", maxSteps: 2 },
    chords: { voice: "organ", pattern: "x..x......x.....", maxSteps: 2, tones: 4 },
    lead: "pluck", swing: 0.3, duck: 0.2, room: 0.25,
  },
  Afrobeats: {
    drums: { kick: "x..x....x..x....", rim: "...x..x....x..x.", shaker: "xoxoxoxoxoxoxoxo", conga: "..o...x...o..oxo", clap: "............x..." },
    bass: { voice: "bass", pattern: "1..1..5.1..8..5.", maxSteps: 2 },
    chords: { voice: "guitar", pattern: "x..x..x..x..x...", maxSteps: 3, tones: 3 },
    lead: "marimba", swing: 0.08, duck: 0.1, room: 0.2,
  },
  Amapiano: {
    drums: { softKick: "x.......x.......", shaker: "xoooxoooxoooxooo", rim: "...x..x....x..x.", conga: "......o..o....oo", openHat: "..o...o...o...o." },
    bass: { voice: "logDrum", pattern: "...1..1.1..5....1..1..8.1..5.88.", maxSteps: 3 },
    chords: { voice: "electricPiano", pattern: "x......x........", maxSteps: 6, tones: 4 },
    lead: "flute", swing: 0.12, duck: 0.2, room: 0.35,
  },
  Dancehall: {
    drums: { kick: "x..x..x.x..x..x.", rim: "...x..x....x..x.", snare: "............x...", hat: "x.x.x.x.x.x.x.x.", shaker: "..o...o...o...o." },
    bass: { voice: "subBass", pattern: "1..1..5...1...8.", maxSteps: 3 },
    chords: { voice: "pluck", pattern: "..x...x...x...x.", maxSteps: 2, tones: 3 },
    lead: "marimba", swing: 0.05, duck: 0.15, room: 0.2,
  },
  Reggaeton: {
    drums: { kick: fourOnTheFloor, snare: "...x..x....x..x.", clap: "......x.......x.", hat: "x.o.x.o.x.o.x.o.", conga: "..........o..o.." },
    bass: { voice: "subBass", pattern: "1..1..1.1..1..5.", maxSteps: 3 },
    chords: { voice: "guitar", pattern: "x.....x.........", maxSteps: 6, tones: 3 },
    lead: "flute", swing: 0, duck: 0.25, room: 0.25,
  },
  Synthwave: {
    drums: { kick: "x...x...x...x.x.", gatedSnare: backbeat, hat: "x.x.x.x.x.x.x.x.", tom: "..............................xx" },
    bass: { voice: "synthBass", pattern: "1.118.111.118.51", maxSteps: 1 },
    chords: { voice: "pad", pattern: "x...............", maxSteps: 15, tones: 3 },
    lead: "synth", swing: 0, duck: 0.35, room: 0.45,
  },
  Phonk: {
    drums: { hardKick: "x.....x.x...x...x.....x...x.....", clap: backbeat, cowbell: "x..x..x.x.x.x..x", hat: "x.x.x.x.x.x.xrx." },
    bass: { voice: "eightOhEight", pattern: "1.....1.1...1...1.....8...1.....", maxSteps: 4 },
    chords: { voice: "strings", pattern: "x...............", maxSteps: 14, tones: 3 },
    lead: "pluck", swing: 0, duck: 0.3, room: 0.25,
  },
  Pop: {
    drums: { kick: "x.......x.x.....", snare: backbeat, clap: backbeat, hat: "x.x.x.x.x.x.x.x." },
    bass: { voice: "bass", pattern: "1...1.1.1...1.5.", maxSteps: 3 },
    chords: { voice: "piano", pattern: "x...x...x...x...", maxSteps: 3, tones: 3 },
    lead: "pluck", swing: 0, duck: 0.15, room: 0.25,
  },
  Ambient: {
    drums: { softKick: "x...............o...............", brush: "............o...", shaker: "o...o...o...o..." },
    bass: { voice: "subBass", pattern: "1...............", maxSteps: 15 },
    chords: { voice: "pad", pattern: "x...............", maxSteps: 16, tones: 4 },
    lead: "bell", swing: 0, duck: 0, room: 0.8,
  },
} satisfies Record<string, Style>;

type StyleName = keyof typeof styles;

/** Patterns of genre names. The first match counts. */
const stylesByPattern: readonly (readonly [RegExp, StyleName])[] = [
  [/drill|grime/, "Drill"],
  [/phonk|memphis/, "Phonk"],
  [/amapiano/, "Amapiano"],
  [/afro/, "Afrobeats"],
  [/reggaeton|latin|salsa|bachata|cumbia|samba|dembow/, "Reggaeton"],
  [/dancehall|reggae|ska/, "Dancehall"],
  [/garage|2-?step/, "UK Garage"],
  [/dubstep|riddim/, "Dubstep"],
  [/drum|d ?n ?b|jungle|break/, "Drum & Bass"],
  [/deep|progressive|tropical/, "Deep House"],
  [/techno|industrial|trance|acid|hardstyle/, "Techno"],
  [/house|disco|dance|edm|electro|club/, "House"],
  [/lo-?fi|chill|study/, "Lo-Fi"],
  [/boom|hip.?hop|\brap\b|old.?school/, "Boom Bap"],
  [/trap/, "Trap"],
  [/soul|jazz|funk|gospel|blues/, "Neo Soul"],
  [/r ?(&|n|and) ?b/, "R&B"],
  [/synth|wave|80s/, "Synthwave"],
  [/ambient|classical|sleep|new.?age|piano|drone|meditation/, "Ambient"],
  [/pop|rock|indie|country|folk|metal|singer/, "Pop"],
];

/** The style of a genre. For an unknown genre, a style that is usual at `tempo` (beats per minute). */
export function styleOf(genreName: string, tempo: number): Style {
  const name = genreName.toLowerCase();
  const exact = Object.entries(styles).find(([genre]) => genre.toLowerCase() === name);
  if (exact !== undefined) return exact[1];
  return styles[stylesByPattern.find(([pattern]) => pattern.test(name))?.[1] ?? usualAt(tempo)];
}

function usualAt(tempo: number): StyleName {
  if (tempo < 98) return "Boom Bap";
  if (tempo < 118) return "Pop";
  if (tempo < 132) return "House";
  return tempo < 165 ? "Trap" : "Drum & Bass";
}
