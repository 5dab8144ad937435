import type { SeededRandom } from "./random.ts";

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
export function inventTitle(random: SeededRandom): string {
  const form = random.fraction();
  if (form < 0.4) return `${random.pick(adjectives)} ${random.pick(nouns)}`;
  if (form < 0.6) return `${random.pick(nouns)} ${random.pick(times)}`;
  if (form < 0.75) return `${random.pick(doings)} ${random.pick(plurals)}`;
  if (form < 0.85) return random.sample(nouns, 2).join(" & ");
  if (form < 0.93) return `No More ${random.pick(plurals)}`;
  return random.pick(nouns);
}
