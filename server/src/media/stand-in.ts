import { encodeWav } from "@beatmarket/audio/synthesizer/encode-wav.ts";
import { type EncodedBytes, etagOf } from "@beatmarket/http/negotiation/representation.ts";

/** The data of a beat that determines the generated sound. */
export interface StandInBeat {
  id: number;
  tempo: number;
  keyCode: number;
  genreName: string;
}

/** Generates a WAV file for a beat without a preview. */
export interface StandIn {
  /** Calls `admit` before a rendering for this request. If `admit` throws, the request is refused. */
  find(beat: StandInBeat, admit: () => void): EncodedBytes | Promise<EncodedBytes>;
}

const sampleRate = 44_100;
const seconds = 3;
/** The notes of the chime: two notes a fifth apart, which imply no key. */
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
