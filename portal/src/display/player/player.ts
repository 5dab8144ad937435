/** A preview, or a bought file, to play. */
export interface Track {
  /** The id of the beat. */
  id: number;
  title: string;
  producer: string;
  /** The addresses of the audio and the cover, on this server or on the producer's. */
  audioUrl: string;
  coverUrl: string;
  /** Whether the audio is the file that the account has bought, instead of the preview. */
  isBought?: true;
}

export interface PlayerState {
  /** The current track; null before the first one, and after the player is closed. */
  readonly track: Track | null;
  readonly isPlaying: boolean;
  /** Position and length of the audio in seconds; 0 while unknown. */
  readonly seconds: number;
  readonly duration: number;
  /** The volume, from 0 to 1. */
  readonly volume: number;
  /** Why the track cannot be played, as a sentence; null without an error. */
  readonly problem: string | null;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** The part of an audio element that the player uses. */
export type Sound = Pick<
  HTMLAudioElement,
  "src" | "preload" | "paused" | "currentTime" | "duration" | "volume" | "play" | "pause" | "addEventListener"
>;

/** The error messages for a track that does not play. */
interface PlayerProblems {
  notAllowed: string;
  notPlayable: string;
}

const restartSeconds = 3;
const events = ["play", "pause", "timeupdate", "durationchange", "emptied", "volumechange"] as const;

/** Plays the tracks of a queue: the list in which the user started a track. The player survives page changes. */
export class Player {
  readonly #makeSound: () => Sound;
  readonly #listeners = new Set<() => void>();
  readonly #problems: PlayerProblems;
  #sound: Sound | null = null;
  #queue: readonly Track[] = [];
  #index = 0;
  #problem: string | null = null;
  #volume = 1;
  #state: PlayerState | null = null;

  constructor(makeSound: () => Sound, problems: PlayerProblems) {
    this.#makeSound = makeSound;
    this.#problems = problems;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the current state, which is the same object until a field changes. */
  readonly state = (): PlayerState => {
    this.#state ??= this.#read();
    return this.#state;
  };

  /** Plays or pauses a track. The rest of the queue follows. A new queue replaces the previous one. */
  toggle(track: Track, queue: readonly Track[] = [track]): void {
    if (track.id === this.#track?.id && track.isBought === this.#track.isBought) {
      this.#queue = queue;
      this.#index = Math.max(
        0,
        queue.findIndex(({ id }) => id === track.id),
      );
      this.toggleCurrent();
      return;
    }
    this.#queue = queue;
    this.#begin(queue.findIndex(({ id }) => id === track.id));
  }

  toggleCurrent(): void {
    const sound = this.#sound;
    if (this.#track === null || sound === null) return;
    if (sound.paused) this.#play(sound);
    else sound.pause();
  }

  next(): void {
    if (this.#index + 1 < this.#queue.length) this.#begin(this.#index + 1);
  }

  /** Returns to the beginning of the track, or to the previous one if the track has just begun. */
  previous(): void {
    if (this.#index > 0 && (this.#sound?.currentTime ?? 0) < restartSeconds) this.#begin(this.#index - 1);
    else this.seek(0);
  }

  /** Seeks to a position, limited to the length of the track. Seeks to 0 while the length is unknown. */
  seek(seconds: number): void {
    const { duration } = this.state();
    if (this.#sound !== null) this.#sound.currentTime = Math.max(0, duration > 0 ? Math.min(seconds, duration) : 0);
    this.#changed();
  }

  /** Sets the volume, from 0 to 1. */
  setVolume(volume: number): void {
    this.#volume = Math.min(1, Math.max(0, volume));
    if (this.#sound !== null) this.#sound.volume = this.#volume;
    this.#changed();
  }

  close(): void {
    this.#sound?.pause();
    this.#queue = [];
    this.#problem = null;
    this.#changed();
  }

  get #track(): Track | null {
    return this.#queue[this.#index] ?? null;
  }

  #begin(index: number): void {
    this.#index = Math.max(0, index);
    this.#problem = null;
    this.#sound ??= this.#listenedTo(this.#makeSound());
    this.#sound.src = this.#track?.audioUrl ?? "";
    this.#play(this.#sound);
  }

  #play(sound: Sound): void {
    this.#problem = null;
    sound.play().catch((error: Error) => {
      if (error.name !== "NotAllowedError") return;
      this.#problem = this.#problems.notAllowed;
      this.#changed();
    });
    this.#changed();
  }

  #listenedTo(sound: Sound): Sound {
    sound.preload = "none";
    sound.volume = this.#volume;
    for (const name of events) sound.addEventListener(name, () => this.#changed());
    sound.addEventListener("ended", () => {
      this.next();
      this.#changed();
    });
    sound.addEventListener("error", () => {
      this.#problem = this.#problems.notPlayable;
      this.#changed();
    });
    return sound;
  }

  #read(): PlayerState {
    const { duration = 0, currentTime = 0, paused = true } = this.#sound ?? {};
    return {
      track: this.#track,
      isPlaying: this.#track !== null && !paused,
      seconds: currentTime,
      duration: Number.isFinite(duration) ? duration : 0,
      volume: this.#volume,
      problem: this.#problem,
      hasNext: this.#index + 1 < this.#queue.length,
      hasPrevious: this.#index > 0,
    };
  }

  #changed(): void {
    this.#state = null;
    for (const listener of this.#listeners) listener();
  }
}
