const headerBytes = 44;

/** Samples from -1 to 1 as a WAV file: PCM, mono, 16 bit. What lies beyond is cut off. */
export function encodeWav(samples: Float32Array, sampleRate: number): Buffer {
  const file = Buffer.alloc(headerBytes + samples.length * 2);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32); // bytes in a frame
  file.writeUInt16LE(16, 34); // bits in a sample
  file.write("data", 36, "latin1");
  file.writeUInt32LE(samples.length * 2, 40);
  const data = new DataView(file.buffer, file.byteOffset + headerBytes);
  for (let n = 0; n < samples.length; n++)
    data.setInt16(n * 2, Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32767), true);
  return file;
}
