import { beforeEach, expect, test } from "vitest";
import { common } from "../../../../contract/texts/en/portal/common.ts";
import { Player, type Sound, type Track } from "./player.ts";

const track = (id: number): Track => ({
  id,
  title: `Beat ${id}`,
  producer: "Nightowl",
  audioUrl: `/media/beats/${id}.wav`,
  coverUrl: "",
});
const queue = [1, 2, 3].map(track);
const [first, second, third] = queue as [Track, Track, Track];

/** An audio element that plays and pauses immediately. With a `refusal`, `play` fails. */
class FakeSound extends EventTarget {
  src = "";
  preload = "";
  paused = true;
  currentTime = 0;
  duration = Number.NaN;
  volume = 1;
  refusal: Error | null = null;
  async play() {
    if (this.refusal !== null) throw this.refusal;
    this.paused = false;
    this.emit("play");
  }
  pause() {
    this.paused = true;
    this.emit("pause");
  }
  emit(name: string) {
    this.dispatchEvent(new Event(name));
  }
}

let sound: FakeSound;
let player: Player;
beforeEach(() => {
  sound = new FakeSound();
  player = new Player(() => sound as unknown as Sound, {
    notAllowed: common["player.playbackBlocked"],
    notPlayable: common["player.previewNotPlayable"],
  });
});

test("plays a track, pauses it, and resumes it", () => {
  player.toggle(second, queue);
  expect(sound.src).toBe(second.audioUrl);
  expect(player.state()).toMatchObject({ track: second, isPlaying: true, hasNext: true, hasPrevious: true });
  player.toggle(second, queue);
  expect(player.state().isPlaying).toBe(false);
  sound.currentTime = 12;
  player.toggleCurrent();
  expect(player.state()).toMatchObject({ isPlaying: true, seconds: 12 });
});

test("plays the next track of the queue at the end of a track, and stops after the last one", () => {
  player.toggle(second, queue);
  sound.emit("ended");
  expect(player.state()).toMatchObject({ track: third, hasNext: false });
  sound.pause();
  sound.emit("ended");
  expect(player.state()).toMatchObject({ track: third, isPlaying: false });
});

test("goes back to the beginning, or to the previous track when the track has just begun", () => {
  player.toggle(second, queue);
  sound.duration = 60;
  sound.currentTime = 10;
  player.previous();
  expect(player.state()).toMatchObject({ track: second, seconds: 0 });
  player.previous();
  expect(player.state().track).toBe(first);
});

test("seeks within the length, and to 0 while the length is unknown", () => {
  player.toggle(first, queue);
  player.seek(10);
  expect(sound.currentTime).toBe(0);
  sound.duration = 60;
  sound.emit("durationchange");
  player.seek(90);
  expect(sound.currentTime).toBe(60);
});

test("shows why a track cannot be played, until another track begins", async () => {
  player.toggle(first, queue);
  sound.emit("error");
  expect(player.state().problem).toContain("missing");
  player.next();
  expect(player.state().problem).toBeNull();
  sound.refusal = Object.assign(new Error(), { name: "NotAllowedError" });
  player.toggle(first, queue);
  await expect.poll(() => player.state().problem).toContain("Press play once more");
});

test("a closed player has no track, and keeps its volume for the next track", () => {
  player.toggle(first, queue);
  player.setVolume(0.5);
  player.close();
  expect(player.state()).toMatchObject({ track: null, isPlaying: false });
  player.toggle(second);
  expect(sound.volume).toBe(0.5);
});

test("notifies its listeners of changes, and keeps the same state object between changes", () => {
  let changes = 0;
  const stop = player.subscribe(() => changes++);
  expect(player.state()).toBe(player.state());
  player.toggle(first);
  expect(changes).toBeGreaterThan(0);
  stop();
  const before = changes;
  player.close();
  expect(changes).toBe(before);
});
