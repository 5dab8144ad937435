import { WaveformMeter } from "@beatmarket/audio/analysis/waveform.ts";

const headerBytes = 44;
const bytesPerFrame = 4;
const points = 400;
/** Of the frames one in so many is looked at: enough for the height of a bar, and cheap. */
const stride = 8;

/** The waveform of a WAV file of ours (wav.ts), as JSON of audiowaveform's version 2. */
export function waveformOf(wav: Buffer): Buffer {
  const frames = Math.floor((wav.length - headerBytes) / bytesPerFrame);
  const mono = new Float32Array(Math.ceil(frames / stride));
  for (let n = 0; n < mono.length; n++) mono[n] = wav.readInt16LE(headerBytes + n * stride * bytesPerFrame) / 32_768;
  const meter = new WaveformMeter(Math.round(wav.readUInt32LE(24) / stride));
  meter.add(mono);
  return Buffer.from(JSON.stringify(meter.waveform(points)));
}
