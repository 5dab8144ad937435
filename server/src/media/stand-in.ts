import { type EncodedBytes, etagOf } from "@beatmarket/http/negotiation/representation.ts";
import { encodeWav } from "./wav.ts";

/** The data that the sound of a stand-in may depend on. */
export interface StandInBeat {
  id: number;
  tempo: number;
  keyCode: number;
  genreName: string;
}

/** Makes the audio of a beat that has no preview: a WAV file. */
export interface StandIn {
  /** `admit` is called before something is rendered only for this request. If it throws, the request is refused. */
  find(beat: StandInBeat, admit: () => void): EncodedBytes | Promise<EncodedBytes>;
}

const sampleRate = 44_100;
const seconds = 3;
/** Two notes a fifth apart, which imply no key. */
const notes = [
  { hertz: 440, startSeconds: 0 },
  { hertz: 660, startSeconds: 0.35 },
];
const level = 0.16;

let chime: EncodedBytes | undefined;

/** The same quiet chime for every beat, so that a preview's URL works although the service has no recording. */
export const chimeStandIn: StandIn = {
  find: () => {
    chime ??= renderChime();
    return chime;
  },
};

function renderChime(): EncodedBytes {
  const samples = new Float32Array(seconds * sampleRate);
  for (const { hertz, startSeconds } of notes)
    for (let n = Math.round(startSeconds * sampleRate); n < samples.length; n++) {
      const elapsed = n / sampleRate - startSeconds;
      const attack = Math.min(1, elapsed / 0.01);
      const release = Math.min(1, (samples.length - 1 - n) / (0.2 * sampleRate));
      samples[n] =
        (samples[n] ?? 0) +
        level * attack * release * Math.exp(-elapsed / 0.6) * Math.sin(2 * Math.PI * hertz * elapsed);
    }
  const body = encodeWav(samples, samples, sampleRate);
  return { body, etag: etagOf(body) };
}
