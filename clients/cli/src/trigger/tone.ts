const sampleRate = 44_100;
const seconds = 6;
const headerBytes = 44;

/** A WAV file with clicks at 120 bpm over a tone, long enough to be analysed. */
export function tone(): Uint8Array {
  const samples = sampleRate * seconds;
  const file = Buffer.alloc(headerBytes + 2 * samples);
  file.write("RIFF", 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(2 * sampleRate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(2 * samples, 40);
  for (let sample = 0; sample < samples; sample += 1) {
    const sinceBeat = (sample % (sampleRate / 2)) / sampleRate;
    const click = Math.sin(2 * Math.PI * 60 * sinceBeat) * Math.exp(-20 * sinceBeat);
    const sound = 0.6 * click + 0.1 * Math.sin((2 * Math.PI * 220 * sample) / sampleRate);
    file.writeInt16LE(Math.round(32_000 * sound), headerBytes + 2 * sample);
  }
  return new Uint8Array(file);
}
