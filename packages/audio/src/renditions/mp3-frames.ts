import { open } from "node:fs/promises";
import { ByteReader } from "../formats/byte-reader.ts";
import { findAudio } from "../formats/find-audio.ts";
import { readMp3Header } from "../formats/mp3-frame.ts";

const windowBytes = 256 * 1024;
/** More than the longest frame with the header of the next frame. */
const lookaheadBytes = 4096;

/** Copies the frames of an MP3 unchanged, without tags and other bytes between them. Returns the size of the copy. */
export async function copyMp3Frames(input: string, output: string): Promise<number> {
  const reader = await ByteReader.open(input);
  const copy = await open(output, "w");
  const parser = new FrameParser();
  let bytesWritten = 0;
  try {
    reader.position = (await findAudio(reader))?.offset ?? 0;
    for (let window = new Uint8Array(0); ; ) {
      window = Buffer.concat([window, await reader.read(windowBytes)]);
      const isEnd = reader.remaining === 0;
      const { runs, end } = parser.findRuns(window, isEnd ? window.length : window.length - lookaheadBytes);
      for (const run of runs) {
        await copy.write(run);
        bytesWritten += run.length;
      }
      if (isEnd) return bytesWritten;
      window = window.subarray(end);
    }
  } finally {
    await copy.close();
    await reader.close();
  }
}

class FrameParser {
  /** The sample rate of the current run of frames. Null between runs. */
  #sampleRate: number | null = null;

  /** The runs of frames that begin before `limit`, and the offset at which the next window must begin. */
  findRuns(window: Uint8Array, limit: number): { runs: Uint8Array[]; end: number } {
    const view = new DataView(window.buffer, window.byteOffset, window.length);
    const runs: Uint8Array[] = [];
    let offset = 0;
    while (offset < limit) {
      const start = offset;
      let bytes = this.#next(view, offset);
      while (bytes > 0 && offset < limit) {
        offset += bytes;
        bytes = this.#next(view, offset);
      }
      if (offset > start) runs.push(window.subarray(start, offset));
      else offset++;
    }
    return { runs, end: offset };
  }

  /**
   * The size of the frame at `offset`; 0 if no frame is there. The first frame of a run must be followed by another
   * frame. Also sets the sample rate of the run. A frame continues the run, other bytes end it.
   */
  #next(view: DataView, offset: number): number {
    const header = offset + 4 <= view.byteLength ? readMp3Header(view, offset) : null;
    const next = offset + (header?.bytes ?? 0);
    const isFollowed = () =>
      next + 4 <= view.byteLength && readMp3Header(view, next)?.sampleRate === header?.sampleRate;
    const isFrame =
      header !== null &&
      next <= view.byteLength &&
      (this.#sampleRate === null ? isFollowed() : header.sampleRate === this.#sampleRate);
    this.#sampleRate = isFrame ? header.sampleRate : null;
    return isFrame ? header.bytes : 0;
  }
}
