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
