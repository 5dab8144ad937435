import { loopSeconds } from "@beatmarket/audio/synthesizer/samples.ts";
import { type Range, SeededRandom } from "@beatmarket/foundation/seeded-random.ts";
import type { ImportedBeat } from "../resources/beats/beat.ts";
import { fieldDefaults } from "../resources/catalogue-import/fields/plain-fields.ts";
import { type DemoGenre, demoGenres } from "./genres.ts";
import { type DemoProducer, demoProducers } from "./producers.ts";

const listed = (words: string): string[] => words.trim().split(/,\s+/);

const adjectives = listed(`
  Amber, Borrowed, Broken, Burning, Copper, Crooked, Distant, Double, Dusty, Electric, Empty, Faded, First, Frozen,
  Gentle, Glass, Golden, Hidden, Hollow, Last, Late, Little, Long, Lost, Low, Midnight, Misty, Narrow, Neon, Northern,
  Open, Paper, Patient, Quiet, Restless, Rusty, Salted, Second, Secret, Shallow, Silver, Slow, Soft, Static, Strange,
  Sunken, Velvet, Wandering, Wild`);
const nouns = listed(`
  Alley, Anchor, Antenna, Balcony, Basement, Beacon, Bloom, Bridge, Canal, Carousel, Ceiling, Cinema, Compass, Corner,
  Courtyard, Crane, Current, Doorway, Echo, Elevator, Ember, Engine, Exit, Feather, Ferry, Fever, Fountain, Garden,
  Gravity, Harbour, Highway, Horizon, Island, Kitchen, Ladder, Lantern, Letter, Lighthouse, Machine, Magnet, Mirror,
  Motel, Mountain, Orchard, Parade, Pavement, Platform, Pocket, Postcard, Promise, Radio, Rain, River, Rooftop, Season,
  Shadow, Shoreline, Signal, Smoke, Staircase, Stranger, Summer, Telephone, Theory, Thunder, Tunnel, Umbrella, Valley,
  Weather, Window, Winter`);
const plurals = listed(`
  Anchors, Bridges, Corners, Doorways, Elevators, Feathers, Ferries, Gardens, Highways, Islands, Lanterns, Letters,
  Lighthouses, Machines, Mirrors, Mountains, Postcards, Promises, Rivers, Rooftops, Shadows, Signals, Staircases,
  Strangers, Summers, Telephones, Umbrellas, Windows, Winters`);
const times = listed(`
  after Hours, at Dawn, at Midnight, at Noon, before Sunrise, by Morning, for Later, in April, in August, in November,
  in Slow Motion, in the Rain, on Sunday, on Tuesday, past Ten, under Ice, without Names`);
const doings = listed(`
  Borrowing, Calling, Carrying, Chasing, Counting, Crossing, Folding, Following, Keeping, Leaving, Losing, Missing,
  Painting, Reading, Selling, Trading, Waiting for`);

/** A plausible English title. */
function inventTitle(random: SeededRandom): string {
  const form = random.fraction();
  if (form < 0.4) return `${random.pick(adjectives)} ${random.pick(nouns)}`;
  if (form < 0.6) return `${random.pick(nouns)} ${random.pick(times)}`;
  if (form < 0.75) return `${random.pick(doings)} ${random.pick(plurals)}`;
  if (form < 0.85) return random.sample(nouns, 2).join(" & ");
  if (form < 0.93) return `No More ${random.pick(plurals)}`;
  return random.pick(nouns);
}

/** The columns that `seed.ts` adds to an invented beat. */
type Added = "source" | "external_id" | "user_id" | "producer_name" | "genre_id" | "key_code";

/** An invented beat, in the columns of the `beats` table. */
export interface DemoBeat extends Omit<ImportedBeat, Added> {
  producer: DemoProducer;
  genre: string;
  created_at: Date;
}

export interface DemoCatalogue {
  genres: string[];
  producers: (DemoProducer & { createdAt: Date })[];
  /** Oldest first. */
  beats: DemoBeat[];
}

const demoSeed = 8;
const beatCount = 500;
const twoYearsDays = 730;
const maxPlays = 48_000;
const tonics = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
// From 19.90 to 49.90. Most prices are in the middle.
const basicPricesCents = [1990, 2490, 2490, 2990, 2990, 2990, 2990, 3490, 3490, 3990, 4990];

/**
 * The demo catalogue: the same beats each time for the same seed, with times in the two years before `nowMs`. Names and
 * titles are invented. A few have other scripts or accents, to demonstrate the search.
 */
export function demoCatalogue(nowMs: number, seed = demoSeed): DemoCatalogue {
  const random = new SeededRandom(seed);
  const nowSeconds = Math.floor(nowMs / 1000);
  const ages = agesSeconds(random);
  const plays = playCounts(random);
  const producers = producersInTurn(random);
  const titles = new Titles(random);
  const beats = producers.map((producer, index) => {
    const createdAt = new Date((nowSeconds - (ages[index] ?? 0)) * 1000);
    return inventBeat(random, producer, titles.next(producer), plays[index] ?? 0, createdAt);
  });
  return {
    genres: demoGenres.map(({ name }) => name),
    producers: demoProducers.map((producer) => ({ ...producer, createdAt: joinedAt(random, producer, beats, nowMs) })),
    beats,
  };
}

function inventBeat(
  random: SeededRandom,
  producer: DemoProducer,
  title: string,
  playCount: number,
  createdAt: Date,
): DemoBeat {
  const genre = genreFor(random, producer);
  const mood = random.pick(genre.moods);
  const instruments = random.sample(genre.instruments, random.integer([1, 3]));
  const tempo = tempoOf(random, genre.tempo);
  const key = `${random.pick(tonics)} ${random.chance(genre.minorPercent / 100) ? "minor" : "major"}`;
  const about = describe(random, genre, { mood, instruments, tempo, key });
  const tags = [...new Set([genre.name.toLowerCase(), mood, ...instruments, random.pick(genre.moods)])];
  // Draws a number that is not used, so that the beats of a seed stay the same as in earlier releases.
  random.around([0, 0]);
  return {
    ...fieldDefaults,
    producer,
    genre: genre.name,
    title,
    description: about,
    tags,
    tempo,
    key,
    duration_seconds: Math.round(loopSeconds(tempo)),
    ...inventPrices(random),
    play_count: playCount,
    download_count: Math.floor(playCount * (0.01 + 0.05 * random.fraction())),
    created_at: createdAt,
  };
}

/** Picks a genre; the producer's first one is the most likely. */
function genreFor(random: SeededRandom, { genres }: DemoProducer): DemoGenre {
  const name = random.chance(0.5) ? genres[0] : random.pick(genres);
  const genre = demoGenres.find((each) => each.name === name);
  if (genre === undefined) throw new Error(`The demo catalogue has no genre ${name}.`);
  return genre;
}

function tempoOf(random: SeededRandom, range: Range): number {
  const tempo = Math.round(random.around(range));
  const fraction = random.chance(0.08) && tempo < range[1] ? random.pick([0.25, 0.5, 0.75]) : 0;
  return tempo + fraction;
}

function inventPrices(random: SeededRandom) {
  const priceCents = random.pick(basicPricesCents);
  const dearer = (factors: Range): number =>
    Math.ceil((priceCents * (factors[0] + random.fraction() * (factors[1] - factors[0]))) / 1000) * 1000 - 10;
  return {
    price_cents: priceCents,
    premium_price_cents: dearer([1.6, 2]),
    unlimited_price_cents: dearer([3, 4]),
    exclusive_price_cents: dearer([9, 20]),
  };
}

interface Traits {
  mood: string;
  instruments: readonly string[];
  tempo: number;
  key: string;
}

function describe(random: SeededRandom, genre: DemoGenre, { mood, instruments, tempo, key }: Traits): string {
  const sound = `${instruments.join(", ").replace(/, ([^,]*)$/, " and $1")} over ${random.pick(genre.drums)}`;
  const start = `${mood.charAt(0).toUpperCase()}${mood.slice(1)} ${genre.name} in ${key} at ${tempo} BPM: ${sound}.`;
  const end = random.pick([
    "",
    " Stems come with the premium license.",
    " Room for a vocal in the middle.",
    " Made in one evening.",
    " Mixed loud, mastered gently.",
    " The hook is open; bring your own.",
  ]);
  return start + end;
}

/** The age of each beat, oldest first, at least an hour. Recent beats are more frequent. */
function agesSeconds(random: SeededRandom): number[] {
  const ages = Array.from({ length: beatCount }, () => {
    const days = twoYearsDays * random.fraction() ** 1.4;
    return Math.round(3600 + days * 86_400 * 0.99);
  });
  return ages.sort((a, b) => b - a);
}

/** The plays of each beat: a few beats have most of them, and the newest beats almost none. */
function playCounts(random: SeededRandom): number[] {
  const ranks = random.sample(
    Array.from({ length: beatCount }, (_, rank) => rank + 1),
    beatCount,
  );
  return ranks.map((rank, index) => {
    const grown = Math.min(1, (beatCount - index) / 60);
    return Math.floor((maxPlays / rank ** 0.85) * (0.8 + 0.4 * random.fraction()) * grown);
  });
}

/** The producer of each beat. Some producers have ten times as many beats as others; each has a few. */
function producersInTurn(random: SeededRandom): DemoProducer[] {
  const turns = demoProducers.flatMap((producer) => [producer, producer, producer, producer]);
  while (turns.length < beatCount) {
    const busy = Math.floor(demoProducers.length * random.fraction() ** 1.4);
    turns.push(demoProducers[(busy * 7) % demoProducers.length] ?? random.pick(demoProducers));
  }
  return random.sample(turns, turns.length);
}

/** A time within the two months before the first beat. */
function joinedAt(random: SeededRandom, producer: DemoProducer, beats: readonly DemoBeat[], nowMs: number): Date {
  const first = beats.find((beat) => beat.producer === producer)?.created_at.getTime() ?? nowMs;
  return new Date(first - random.integer([1, 60 * 86_400]) * 1000);
}

/** Unique titles: first the producer's own titles, in order, then English titles. */
class Titles {
  readonly #random: SeededRandom;
  readonly #used = new Set<string>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  next({ titles = [] }: DemoProducer): string {
    let title = titles.find((candidate) => !this.#used.has(candidate));
    while (title === undefined || this.#used.has(title)) title = inventTitle(this.#random);
    this.#used.add(title);
    return title;
  }
}
