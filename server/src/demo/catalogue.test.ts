import { loopSeconds } from "@beatmarket/audio/synthesizer/samples.ts";
import { expect, test } from "vitest";
import { demoCatalogue } from "./catalogue.ts";
import { demoGenres } from "./genres.ts";

const dayMs = 86_400_000;
const nowMs = Date.parse("2026-03-01T12:34:56.789Z");
const { genres, producers, beats } = demoCatalogue(nowMs);

test("the catalogue has 500 beats; each of the 40 producers and 20 genres has beats", () => {
  expect(beats).toHaveLength(500);
  expect(new Set(producers.map(({ username }) => username)).size).toBe(40);
  expect(new Set(genres).size).toBe(20);
  for (const genre of genres) expect(beats.filter((beat) => beat.genre === genre).length, genre).toBeGreaterThan(5);
  for (const { username } of producers)
    expect(beats.filter(({ producer }) => producer.username === username).length, username).toBeGreaterThan(3);
});

test("the catalogue is the same each time, except for its dates", () => {
  const laterMs = nowMs + 100 * dayMs;
  const later = demoCatalogue(laterMs);
  const undated = (all: typeof beats) => all.map(({ created_at: _, ...beat }) => beat);
  expect(undated(later.beats)).toEqual(undated(beats));
  expect(later.beats.map(({ created_at }) => created_at.getTime() - 100 * dayMs)).toEqual(
    beats.map(({ created_at }) => created_at.getTime()),
  );
  expect(beats[0]).toMatchObject({ title: "Telephone & Shadow", genre: "Neo Soul", tempo: 79, key: "F# major" });
});

test("the times of beats are spread over the last two years, in whole seconds, oldest first", () => {
  const ages = beats.map(({ created_at }) => nowMs - created_at.getTime());
  expect(ages).toEqual([...ages].sort((a, b) => b - a));
  expect(Math.max(...ages)).toBeLessThan(730 * dayMs);
  expect(Math.max(...ages)).toBeGreaterThan(650 * dayMs);
  expect(Math.min(...ages)).toBeGreaterThan(0);
  expect(Math.min(...ages)).toBeLessThan(30 * dayMs);
  expect(beats.every(({ created_at }) => created_at.getTime() % 1000 === 0)).toBe(true);
});

test("every producer joined before the first beat of that producer", () => {
  for (const { username, createdAt } of producers)
    for (const beat of beats.filter(({ producer }) => producer.username === username))
      expect(createdAt.getTime()).toBeLessThan(beat.created_at.getTime());
});

test.each(demoGenres)(
  "beats of $name have the tempos of the genre, a valid key, and the length of their loops",
  (genre) => {
    const beatsOfGenre = beats.filter((beat) => beat.genre === genre.name);
    for (const { tempo, duration_seconds: durationSeconds, key } of beatsOfGenre) {
      expect(tempo).toBeGreaterThanOrEqual(genre.tempo[0]);
      expect(tempo).toBeLessThanOrEqual(genre.tempo[1]);
      expect(durationSeconds).toBe(Math.round(loopSeconds(tempo)));
      expect(key).toMatch(/^[A-G][#b]? (major|minor)$/);
    }
  },
);

test("trap and drill are mostly in minor, some tempos are not integers, and all 24 keys occur", () => {
  const dark = beats.filter(({ genre }) => genre === "Trap" || genre === "Drill");
  expect(dark.filter(({ key }) => key.endsWith("minor")).length / dark.length).toBeGreaterThan(0.8);
  expect(beats.filter(({ tempo }) => !Number.isInteger(tempo)).length).toBeGreaterThan(10);
  expect(new Set(beats.map(({ key }) => key)).size).toBe(24);
});

test("the prices of a beat's licenses rise from the basic to the exclusive license", () => {
  for (const beat of beats) {
    const prices = [beat.price_cents, beat.premium_price_cents, beat.unlimited_price_cents, beat.exclusive_price_cents];
    expect(prices.every((cents) => Number.isInteger(cents) && cents % 100 === 90)).toBe(true);
    expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
  }
  expect(beats.map(({ price_cents }) => price_cents)).toContain(2990);
});

test("few beats have most of the plays, and no beat has more downloads than plays", () => {
  const plays = beats.map(({ play_count }) => play_count).sort((a, b) => b - a);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  expect(sum(plays.slice(0, 50)) / sum(plays)).toBeGreaterThan(0.5);
  expect(plays.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
  for (const { play_count, download_count } of beats) expect(download_count).toBeLessThanOrEqual(play_count);
});

test("titles are unique and beats are described and tagged", () => {
  expect(new Set(beats.map(({ title }) => title)).size).toBe(500);
  for (const { title, description, tags } of beats) {
    expect(title.trim()).toBe(title);
    expect(description).toMatch(/^[A-Z].* BPM: .*\.$/);
    expect(tags.length).toBeGreaterThanOrEqual(3);
    expect(new Set(tags).size).toBe(tags.length);
  }
});

test.each(["Cyrillic", "Han", "Hiragana", "Hangul", "Arabic", "Hebrew", "Greek", "Devanagari"])(
  "some titles of beats, and some names or descriptions of producers, are in %s",
  (script) => {
    const inScript = new RegExp(`\\p{Script=${script}}`, "u");
    expect(beats.some(({ title }) => inScript.test(title))).toBe(true);
    expect(producers.some(({ displayName, bio }) => inScript.test(displayName + bio))).toBe(true);
  },
);
