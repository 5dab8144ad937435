import type { Range } from "@beatmarket/foundation/seeded-random.ts";

/** The properties of the beats of a genre. */
export interface DemoGenre {
  name: string;
  /** Beats per minute. */
  tempo: Range;
  /** The percentage of beats in minor. */
  minorPercent: number;
  /** Words for the mood, in descriptions and as tags. */
  moods: readonly string[];
  /** The instruments, in descriptions and as tags. */
  instruments: readonly string[];
  /** A description of the drums, which follows the word "over". */
  drums: readonly string[];
}

export const demoGenres = [
  {
    name: "Trap",
    tempo: [130, 160],
    minorPercent: 92,
    moods: ["dark", "cold", "menacing", "hypnotic"],
    instruments: ["808", "bell", "pluck", "choir", "flute"],
    drums: ["rolling hi-hats", "a half-time snare", "sparse kicks and busy hats"],
  },
  {
    name: "Drill",
    tempo: [138, 146],
    minorPercent: 95,
    moods: ["dark", "tense", "gritty", "cold"],
    instruments: ["sliding 808", "strings", "piano", "vocal chop"],
    drums: ["skipping snares", "a syncopated kick", "triplet hats"],
  },
  {
    name: "Boom Bap",
    tempo: [84, 96],
    minorPercent: 70,
    moods: ["dusty", "raw", "nostalgic", "smoky"],
    instruments: ["jazz piano", "upright bass", "horn", "vinyl crackle"],
    drums: ["hard-knocking breaks", "a swung kick and snare", "drums off an old sampler"],
  },
  {
    name: "Lo-Fi",
    tempo: [70, 90],
    minorPercent: 55,
    moods: ["mellow", "sleepy", "nostalgic", "warm"],
    instruments: ["electric piano", "tape guitar", "vinyl crackle", "muted trumpet"],
    drums: ["soft, late drums", "a brushed snare", "a dusty loop"],
  },
  {
    name: "R&B",
    tempo: [62, 92],
    minorPercent: 65,
    moods: ["smooth", "intimate", "late-night", "warm"],
    instruments: ["electric piano", "sub bass", "guitar", "vocal pad"],
    drums: ["finger snaps", "a laid-back pocket", "crisp, quiet drums"],
  },
  {
    name: "Neo Soul",
    tempo: [70, 102],
    minorPercent: 50,
    moods: ["warm", "soulful", "golden", "unhurried"],
    instruments: ["electric piano", "bass guitar", "organ", "muted trumpet"],
    drums: ["live drums behind the beat", "a rim-shot groove", "brushes"],
  },
  {
    name: "House",
    tempo: [120, 128],
    minorPercent: 55,
    moods: ["uplifting", "sunny", "driving", "classic"],
    instruments: ["piano stab", "organ bass", "vocal chop", "strings"],
    drums: ["four on the floor", "open hats on the off-beat", "claps and shakers"],
  },
  {
    name: "Deep House",
    tempo: [118, 124],
    minorPercent: 78,
    moods: ["deep", "late-night", "smooth", "hypnotic"],
    instruments: ["warm pad", "sub bass", "electric piano", "marimba"],
    drums: ["a muffled four on the floor", "ticking shakers", "soft claps"],
  },
  {
    name: "Techno",
    tempo: [126, 142],
    minorPercent: 88,
    moods: ["driving", "industrial", "hypnotic", "dark"],
    instruments: ["acid line", "noise sweep", "stab", "modular synth"],
    drums: ["a pounding kick", "metal percussion", "rumbling low drums"],
  },
  {
    name: "Drum & Bass",
    tempo: [170, 178],
    minorPercent: 80,
    moods: ["fast", "liquid", "tense", "soaring"],
    instruments: ["reese bass", "warm pad", "piano", "vocal chop"],
    drums: ["chopped breaks", "a rolling two-step", "ghost-note snares"],
  },
  {
    name: "Dubstep",
    tempo: [138, 142],
    minorPercent: 90,
    moods: ["heavy", "dark", "spacious", "brooding"],
    instruments: ["wobble bass", "sub bass", "siren", "dub chord"],
    drums: ["a half-step snare", "sparse, echoing hits", "a slow, heavy kick"],
  },
  {
    name: "UK Garage",
    tempo: [128, 136],
    minorPercent: 62,
    moods: ["bouncy", "sweet", "late-night", "playful"],
    instruments: ["organ bass", "vocal chop", "piano stab", "pluck"],
    drums: ["shuffling two-step", "swung hats", "a skipping kick"],
  },
  {
    name: "Afrobeats",
    tempo: [96, 116],
    minorPercent: 52,
    moods: ["sunny", "sweet", "festive", "smooth"],
    instruments: ["highlife guitar", "log drum", "sax", "marimba"],
    drums: ["shakers and rim shots", "a talking drum", "a bouncing kick"],
  },
  {
    name: "Amapiano",
    tempo: [108, 115],
    minorPercent: 72,
    moods: ["deep", "smooth", "festive", "hypnotic"],
    instruments: ["log drum", "jazz piano", "flute", "vocal chop"],
    drums: ["endless shakers", "a soft kick", "rim shots and congas"],
  },
  {
    name: "Dancehall",
    tempo: [88, 106],
    minorPercent: 68,
    moods: ["bouncy", "sunny", "gritty", "festive"],
    instruments: ["pluck", "steel drum", "sub bass", "horn"],
    drums: ["a one-drop riddim", "snapping rims", "a rolling riddim"],
  },
  {
    name: "Reggaeton",
    tempo: [86, 98],
    minorPercent: 80,
    moods: ["sweet", "late-night", "festive", "moody"],
    instruments: ["nylon guitar", "pluck", "sub bass", "flute"],
    drums: ["a steady dembow", "dembow with claps", "a stripped dembow"],
  },
  {
    name: "Synthwave",
    tempo: [80, 118],
    minorPercent: 74,
    moods: ["nostalgic", "neon", "soaring", "driving"],
    instruments: ["analog synth", "arpeggio", "gated tom", "electric guitar"],
    drums: ["gated snares", "a drum machine", "a motorik pulse"],
  },
  {
    name: "Phonk",
    tempo: [120, 160],
    minorPercent: 96,
    moods: ["gritty", "dark", "menacing", "raw"],
    instruments: ["cowbell", "distorted 808", "tape vocal", "vinyl crackle"],
    drums: ["overdriven kicks", "cowbells on every beat", "tape-worn drums"],
  },
  {
    name: "Pop",
    tempo: [96, 128],
    minorPercent: 35,
    moods: ["bright", "uplifting", "sweet", "sunny"],
    instruments: ["piano", "guitar", "pluck", "analog synth"],
    drums: ["a clean backbeat", "claps and stomps", "four on the floor"],
  },
  {
    name: "Ambient",
    tempo: [60, 90],
    minorPercent: 45,
    moods: ["calm", "vast", "sleepy", "glowing"],
    instruments: ["warm pad", "field recording", "piano", "bowed guitar"],
    drums: ["hardly any drums", "a distant pulse", "brushed noise"],
  },
] as const satisfies readonly DemoGenre[];

export type DemoGenreName = (typeof demoGenres)[number]["name"];
