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

const headerBytes = 44;
const bytesPerFrame = 4;

/** The size of a WAV file in bytes. A frame has one sample of each channel. */
const wavBytes = (frames: number): number => headerBytes + frames * bytesPerFrame;

/** Encodes samples from -1 to 1 as a WAV file: PCM, stereo, 16 bit. Samples outside the range are clipped. */
export function encodeWav(left: Float32Array, right: Float32Array, sampleRate: number): Buffer {
  // A buffer outside of Node's shared pool, so that a thread can transfer it.
  const file = Buffer.from(new ArrayBuffer(wavBytes(left.length)));
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(2, 22); // channels
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * bytesPerFrame, 28);
  file.writeUInt16LE(bytesPerFrame, 32);
  file.writeUInt16LE(16, 34); // bits in a sample
  file.write("data", 36, "latin1");
  file.writeUInt32LE(file.length - headerBytes, 40);
  const data = new DataView(file.buffer, headerBytes);
  for (let n = 0; n < left.length; n++) {
    data.setInt16(n * bytesPerFrame, pcm(left[n] ?? 0), true);
    data.setInt16(n * bytesPerFrame + 2, pcm(right[n] ?? 0), true);
  }
  return file;
}

const pcm = (sample: number): number => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
